/** When a server that crashed is started again; times in milliseconds. */
export interface RestartBounds {
  /** The wait before the first restart; each further one waits twice as long. */
  readonly firstDelayMs: number;
  readonly longestDelayMs: number;
  /** More than this many restarts within the window, and it stays ended. */
  readonly maxRestarts: number;
  readonly windowMs: number;
}

/** Five times in ten minutes. */
export const defaultRestarts: RestartBounds = {
  firstDelayMs: 1000,
  longestDelayMs: 60_000,
  maxRestarts: 5,
  windowMs: 10 * 60_000,
};

/** Says how long to wait before a server that crashed is started again. */
export class RestartPolicy {
  private crashes: number[] = [];
  private readonly bounds: RestartBounds;

  constructor(bounds: RestartBounds = defaultRestarts) {
    this.bounds = bounds;
  }

  /** Notes a crash at `now`; the delay in milliseconds, or nothing when it is not worth trying. */
  crashed(now = Date.now()): number | undefined {
    const { firstDelayMs, longestDelayMs, maxRestarts, windowMs } = this.bounds;
    this.crashes = [...this.crashes.filter((time) => now - time < windowMs), now];
    const count = this.crashes.length;
    if (count > maxRestarts) return undefined;
    return Math.min(firstDelayMs * 2 ** (count - 1), longestDelayMs);
  }

  /** Forgets the crashes: a person started the server. */
  reset(): void {
    this.crashes = [];
  }
}
