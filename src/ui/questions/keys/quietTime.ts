import type { KeyClock } from '../stage';

/** A text that is typed for something else has pauses: so many times longer than at first keys are ignored after a letter. */
const strayFactor = 3;

/** The time in which keys are taken to be meant for what the user did before something came up. */
export class QuietTime {
  private readonly clock: KeyClock;
  private endsAt = 0;
  private shows = 0;

  constructor(clock: KeyClock) {
    this.clock = clock;
  }

  /** Something comes up, or comes back: the time is counted from when the user sees it. */
  shown(): void {
    const show = (this.shows += 1);
    // An editor that is busy draws late.
    this.endsAt = Infinity;
    this.clock.whenDrawn(() => {
      if (show === this.shows) this.endsAt = this.clock.now() + this.clock.quietMs;
    });
  }

  /** A letter came that is meant for something else, and others may follow it. */
  strayed(): void {
    // What is typed into was drawn.
    this.shows += 1;
    this.endsAt = this.clock.now() + strayFactor * this.clock.quietMs;
  }

  /** True while keys are ignored. */
  get isOn(): boolean {
    return this.clock.now() < this.endsAt;
  }
}
