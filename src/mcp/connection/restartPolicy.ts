import { backoffMs, patientBackoff, type Backoff } from '../../base/pace/backoff';

/** When a crashed server is restarted; times in milliseconds. */
export interface RestartBounds extends Backoff {
  /** A server that crashes more often than this within the window is not restarted. */
  readonly maxRestarts: number;
  readonly windowMs: number;
}

/** At most five restarts in ten minutes. */
export const defaultRestarts: RestartBounds = {
  ...patientBackoff,
  maxRestarts: 5,
  windowMs: 10 * 60_000,
};

/** Decides how long to wait before a crashed server is restarted. */
export class RestartPolicy {
  private crashes: number[] = [];
  private readonly bounds: RestartBounds;

  constructor(bounds: RestartBounds = defaultRestarts) {
    this.bounds = bounds;
  }

  /** Records a crash at `now`; returns the delay in milliseconds, or `undefined` if a restart is not worth trying. */
  crashed(now = Date.now()): number | undefined {
    const { maxRestarts, windowMs } = this.bounds;
    this.crashes = [...this.crashes.filter((time) => now - time < windowMs), now];
    const count = this.crashes.length;
    if (count > maxRestarts) return undefined;
    return backoffMs(this.bounds, count - 1);
  }

  /** True if any crash still counts at `now`. */
  hasCrashedLately(now = Date.now()): boolean {
    return this.crashes.some((time) => now - time < this.bounds.windowMs);
  }

  /** Forgets the crashes, since the server was started or stopped on purpose. */
  reset(): void {
    this.crashes = [];
  }
}
