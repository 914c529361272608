import type { InputBox } from 'vscode';
import { QuietTime } from './quietTime';
import type { KeyClock } from '../question';

/** Keeps text out of a form that was typed for something else, such as a terminal, when the form came up by itself. */
export class StrayText {
  private readonly input: Pick<InputBox, 'value' | 'placeholder'>;
  private readonly quiet: QuietTime;
  private readonly note: string;
  private kept = '';
  /** The placeholder that the note replaces, while it does. */
  private covered: { readonly placeholder: string | undefined } | undefined;

  /** `note` is shown in the empty box to say that something was not taken. */
  constructor(input: StrayText['input'], clock: KeyClock, note: string) {
    this.input = input;
    this.quiet = new QuietTime(clock);
    this.note = note;
  }

  /** Notes that the form comes up or comes back with what its box contains; `isSudden` if the user did not cause it. */
  shown(isSudden: boolean): void {
    if (!isSudden) return;
    this.kept = this.input.value;
    this.quiet.shown();
  }

  /** True while keys are ignored. */
  get isQuiet(): boolean {
    return this.quiet.isOn;
  }

  /** Restores the box if its new value was not typed for it; true if that was the case. */
  takesBack(value: string): boolean {
    const { input, covered } = this;
    // Restoring the box is reported as a change, too.
    const isStray = this.isQuiet && value !== this.kept;
    if (isStray) {
      this.quiet.strayed();
      this.covered ??= { placeholder: input.placeholder };
      input.placeholder = this.note;
      input.value = this.kept;
    } else if (covered && !this.isQuiet) {
      this.covered = undefined;
      input.placeholder = covered.placeholder;
    }
    return isStray;
  }
}
