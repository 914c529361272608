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

/** True when a question may come up without taking the keys of something else. */
export function isRightMoment(mode: ShowMode, { editor, ours }: LastActions, now: number): boolean {
  if (mode !== 'whenIdle') return mode === 'always';
  return editor <= ours || now - editor > idleMs;
}
