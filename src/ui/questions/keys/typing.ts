import { QuietTime } from './quietTime';
import type { KeyClock } from '../question';

/** A clock by which keys count at once, for UI that the user asked for and that decides nothing. */
export const promptKeys: KeyClock = {
  now: Date.now,
  quietMs: 0,
  whenDrawn: (then) => then(),
};

/**
 * Decides which row a key takes in a question: typed text takes none; Enter takes the default, or the row that the user
 * moved to. With every letter, the editor moves to the first row and reports that before it reports the letter, so a
 * move counts only while the box is empty.
 */
export class Typing<T> {
  private readonly quiet: QuietTime;
  private readonly isDefault: (row: T) => boolean;
  private isEmpty = true;
  private moved = false;

  constructor(clock: KeyClock, isDefault: (row: T) => boolean) {
    this.quiet = new QuietTime(clock);
    this.isDefault = isDefault;
  }

  /** Notes that the question comes up or comes back: at first, keys are still meant for something else. */
  shown(): void {
    this.moved = false;
    this.quiet.shown();
  }

  /** True while keys are ignored. */
  get isQuiet(): boolean {
    return this.quiet.isOn;
  }

  /** Notes what the box contains now; true if it must be emptied and the default made active again. */
  changeValue(value: string): boolean {
    this.isEmpty = value === '';
    if (this.isEmpty) return false;
    this.moved = false;
    this.quiet.strayed();
    return true;
  }

  /** Notes which row is active now. */
  changeActive(row: T | undefined): void {
    this.moved = row !== undefined && !this.isDefault(row) && this.isEmpty && !this.isQuiet;
  }

  /** True if Enter takes the active row; otherwise the default must be made active again. */
  takesOnEnter(active: T): boolean {
    return !this.isQuiet && this.isEmpty && (this.moved || this.isDefault(active));
  }

  /** True if a click can take a row: nobody is typing. */
  get takesOnClick(): boolean {
    return this.isEmpty;
  }
}
