import type { KeyClock } from '../questions/stage';

/** Decides whether keys count in a document yet: the first ones were meant for something else. */
export class EarlyKeys {
  private readonly clock: KeyClock;
  private wasFocused = false;
  private readyAt = Infinity;

  constructor(clock: KeyClock) {
    this.clock = clock;
  }

  /** Notes that the document has the keyboard; only the first time matters. */
  focused(): void {
    if (this.wasFocused) return;
    this.wasFocused = true;
    this.clock.whenDrawn(() => {
      this.readyAt = this.clock.now() + this.clock.quietMs;
    });
  }

  get count(): boolean {
    return this.clock.now() >= this.readyAt;
  }
}
