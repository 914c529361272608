import type { KeyClock } from '../question';

/** Stray typing has pauses: after a letter, keys are ignored for this many times the initial period. */
const strayFactor = 3;

/** The period after something comes up in which keys are assumed to be meant for what the user was doing before. */
export class QuietTime {
  private readonly clock: KeyClock;
  private endsAt = 0;
  private shows = 0;

  constructor(clock: KeyClock) {
    this.clock = clock;
  }

  /** Starts the period because something comes up or comes back; it is counted from when the user sees it. */
  shown(): void {
    const show = (this.shows += 1);
    // A busy editor draws late.
    this.endsAt = Infinity;
    this.clock.whenDrawn(() => {
      if (show === this.shows) this.endsAt = this.clock.now() + this.clock.quietMs;
    });
  }

  /** Extends the period because a letter was meant for something else, and others may follow it. */
  strayed(): void {
    // Whatever is typed into has been drawn.
    this.shows += 1;
    this.endsAt = this.clock.now() + strayFactor * this.clock.quietMs;
  }

  /** True while keys are ignored. */
  get isOn(): boolean {
    return this.clock.now() < this.endsAt;
  }
}
