/** When questions that the user did not ask for take the keyboard. */
export const showModes = ['whenIdle', 'always', 'never'] as const;

/** One of {@link showModes}. */
export type ShowMode = (typeof showModes)[number];

/** Without a key or click in an editor for this long, nobody is typing there. */
const idleMs = 5000;

/** What the user did last, epoch ms; `editor` in a text editor, `ours` to the product or its chat. */
export interface LastActions {
  readonly editor: number;
  readonly ours: number;
}

/** In how many milliseconds a question may come up without taking the keys of something else: 0 for now, `Infinity` where it waits for the user. */
export function msToRightMoment(
  mode: ShowMode,
  { editor, ours }: LastActions,
  now: number,
): number {
  if (mode !== 'whenIdle') return mode === 'always' ? 0 : Infinity;
  return editor <= ours ? 0 : Math.max(0, editor + idleMs - now);
}
