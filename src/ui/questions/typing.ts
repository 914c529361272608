import type { KeyClock } from './stage';

/**
 * Which row a key takes in a question. Typed text takes none; Enter takes the default, or the row that
 * the user moved to. The editor moves to the first row with every letter and tells of that before it
 * tells of the letter, so that a move counts only as long as the box is empty.
 */
export class Typing<T> {
  private readonly clock: KeyClock;
  private readonly isDefault: (row: T) => boolean;
  private readyAt = 0;
  private isEmpty = true;
  private moved = false;

  constructor(clock: KeyClock, isDefault: (row: T) => boolean) {
    this.clock = clock;
    this.isDefault = isDefault;
  }

  /** The question came up, or came back: keys were meant for something else for a while. */
  shown(): void {
    this.readyAt = this.clock.now() + this.clock.quietMs;
    this.moved = false;
  }

  /** True while keys are ignored. */
  get isQuiet(): boolean {
    return this.clock.now() < this.readyAt;
  }

  /** What stands in the box now; true when it is to be emptied and the default to be active again. */
  changeValue(value: string): boolean {
    this.isEmpty = value === '';
    if (!this.isEmpty) this.moved = false;
    return !this.isEmpty;
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
