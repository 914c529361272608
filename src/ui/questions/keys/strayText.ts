import type { InputBox } from 'vscode';
import { QuietTime } from './quietTime';
import type { KeyClock } from '../stage';

/** Keeps out of a form what was typed for something else, a terminal say, when the form came up by itself. */
export class StrayText {
  private readonly input: Pick<InputBox, 'value' | 'placeholder'>;
  private readonly quiet: QuietTime;
  private readonly note: string;
  private kept = '';
  /** What stands in the empty box otherwise, while the note does. */
  private covered: { readonly placeholder: string | undefined } | undefined;

  /** `note` says in the empty box that something was not taken. */
  constructor(input: StrayText['input'], clock: KeyClock, note: string) {
    this.input = input;
    this.quiet = new QuietTime(clock);
    this.note = note;
  }

  /** The form comes up with what stands in its box, or comes back; `isSudden` where the user did nothing for that. */
  shown(isSudden: boolean): void {
    if (!isSudden) return;
    this.kept = this.input.value;
    this.quiet.shown();
  }

  /** True while keys are ignored. */
  get isQuiet(): boolean {
    return this.quiet.isOn;
  }

  /** True where what stands in the box now was not typed for it, and stands there no more. */
  takesBack(value: string): boolean {
    const { input, covered } = this;
    // What is put back comes as a change, too.
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
