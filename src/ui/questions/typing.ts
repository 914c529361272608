import type { KeyClock } from './stage';

/** A text that is typed for something else has pauses: so many times longer than at first keys are ignored after a letter. */
const strayFactor = 3;

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
  private readonly clock: KeyClock;
  private readonly isDefault: (row: T) => boolean;
  private readyAt = 0;
  private shows = 0;
  private isEmpty = true;
  private moved = false;

  constructor(clock: KeyClock, isDefault: (row: T) => boolean) {
    this.clock = clock;
    this.isDefault = isDefault;
  }

  /** The question comes up, or comes back: keys were meant for something else for a while, as seen by the user. */
  shown(): void {
    this.moved = false;
    const show = (this.shows += 1);
    // An editor that is busy draws late.
    this.readyAt = Infinity;
    this.clock.whenDrawn(() => {
      if (show === this.shows) this.readyAt = this.clock.now() + this.clock.quietMs;
    });
  }

  /** True while keys are ignored. */
  get isQuiet(): boolean {
    return this.clock.now() < this.readyAt;
  }

  /** What stands in the box now; true when it is to be emptied and the default to be active again. */
  changeValue(value: string): boolean {
    this.isEmpty = value === '';
    if (this.isEmpty) return false;
    this.moved = false;
    // What is typed into was drawn.
    this.shows += 1;
    this.readyAt = this.clock.now() + strayFactor * this.clock.quietMs;
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
