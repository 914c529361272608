/** The settings for when questions that the user did not ask for take the keyboard. */
export const showModes = ['whenIdle', 'always', 'never'] as const;

/** One of {@link showModes}. */
export type ShowMode = (typeof showModes)[number];

/** After this long without a key or click in an editor or the chat, nobody is assumed to be typing there. */
const idleMs = 5000;

/**
 * When the user last did something, in epoch ms: `elsewhere` in a text editor or on a message to the chat, `ours` with
 * this extension or `@mcp`.
 */
export interface LastActions {
  readonly elsewhere: number;
  readonly ours: number;
}

/**
 * Returns in how many milliseconds a question may come up without taking keys meant for something else: 0 for now,
 * `Infinity` if it waits for the user.
 */
export function msToRightMoment(
  mode: ShowMode,
  { elsewhere, ours }: LastActions,
  now: number,
): number {
  if (mode !== 'whenIdle') return mode === 'always' ? 0 : Infinity;
  return elsewhere <= ours ? 0 : Math.max(0, elsewhere + idleMs - now);
}
