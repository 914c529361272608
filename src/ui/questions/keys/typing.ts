import { QuietTime } from './quietTime';
import type { KeyClock } from '../stage';

/** Keys count at once: the user asked for what is shown, and nothing is decided by it. */
export const promptKeys: KeyClock = {
  now: Date.now,
  quietMs: 0,
  whenDrawn: (then) => then(),
};

/**
 * Which row a key takes in a question. Typed text takes none; Enter takes the default, or the row that
 * the user moved to. The editor moves to the first row with every letter and tells of that before it
 * tells of the letter, so that a move counts only as long as the box is empty.
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

  /** The question comes up, or comes back: keys were meant for something else for a while, as seen by the user. */
  shown(): void {
    this.moved = false;
    this.quiet.shown();
  }

  /** True while keys are ignored. */
  get isQuiet(): boolean {
    return this.quiet.isOn;
  }

  /** What stands in the box now; true when it is to be emptied and the default to be active again. */
  changeValue(value: string): boolean {
    this.isEmpty = value === '';
    if (this.isEmpty) return false;
    this.moved = false;
    this.quiet.strayed();
    return true;
  }

  /** Another row is active now. */
  changeActive(row: T | undefined): void {
    this.moved = row !== undefined && !this.isDefault(row) && this.isEmpty && !this.isQuiet;
  }

  /** True when Enter takes the active row; otherwise the default is to be active again. */
  takesOnEnter(active: T): boolean {
    return !this.isQuiet && this.isEmpty && (this.moved || this.isDefault(active));
  }

  /** True when a row can be taken by a click: nobody types just then. */
  get takesOnClick(): boolean {
    return this.isEmpty;
  }
}
