const minuteMs = 60_000;

/** Counts what happened within the last minute. */
export class LastMinute {
  private readonly now: () => number;
  private times: number[] = [];

  constructor(now: () => number) {
    this.now = now;
  }

  /** How often it happened. */
  get count(): number {
    const since = this.now() - minuteMs;
    this.times = this.times.filter((time) => time > since);
    return this.times.length;
  }

  /** Counts one more; the function that it returns takes that back. */
  add(): () => void {
    const time = this.now();
    this.times.push(time);
    return () => {
      const index = this.times.indexOf(time);
      if (index >= 0) this.times.splice(index, 1);
    };
  }

  /** Counts one more unless that would exceed `max`; true if it was counted. */
  take(max: number): boolean {
    const isFree = this.count < max;
    if (isFree) this.add();
    return isFree;
  }
}
