import { backoffMs, patientBackoff, type Backoff } from '../../base/pace/backoff';

/** When a server that crashed is started again; times in milliseconds. */
export interface RestartBounds extends Backoff {
  /** More than this many restarts within the window, and it stays ended. */
  readonly maxRestarts: number;
  readonly windowMs: number;
}

/** Five times in ten minutes. */
export const defaultRestarts: RestartBounds = {
  ...patientBackoff,
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
    const { maxRestarts, windowMs } = this.bounds;
    this.crashes = [...this.crashes.filter((time) => now - time < windowMs), now];
    const count = this.crashes.length;
    if (count > maxRestarts) return undefined;
    return backoffMs(this.bounds, count - 1);
  }

  /** True where a crash counts at `now`. */
  hasCrashedLately(now = Date.now()): boolean {
    return this.crashes.some((time) => now - time < this.bounds.windowMs);
  }

  /** Forgets the crashes: a user started the server. */
  reset(): void {
    this.crashes = [];
  }
}
