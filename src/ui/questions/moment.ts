/** When questions that the user did not ask for take the keyboard. */
export const showModes = ['whenIdle', 'always', 'never'] as const;

/** One of {@link showModes}. */
export type ShowMode = (typeof showModes)[number];

/** Without a key or click in an editor or the chat for this long, nobody is typing there. */
const idleMs = 5000;

/** What the user did last, epoch ms; `elsewhere` in a text editor or to a message that they write in the chat, `ours` to the product or `@mcp`. */
export interface LastActions {
  readonly elsewhere: number;
  readonly ours: number;
}

/** In how many milliseconds a question may come up without taking the keys of something else: 0 for now, `Infinity` where it waits for the user. */
export function msToRightMoment(
  mode: ShowMode,
  { elsewhere, ours }: LastActions,
  now: number,
): number {
  if (mode !== 'whenIdle') return mode === 'always' ? 0 : Infinity;
  return elsewhere <= ours ? 0 : Math.max(0, elsewhere + idleMs - now);
}
