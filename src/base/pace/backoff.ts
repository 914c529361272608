/** Delays that double from the first to the longest, in milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The delays of attempts that continue as long as they are wanted: a second at first, a minute at most. */
export const patientBackoff: Backoff = { firstMs: 1000, longestMs: 60_000 };

/** Returns the next delay in milliseconds, after `before` earlier ones. */
export function backoffMs({ firstMs, longestMs }: Backoff, before: number): number {
  return Math.min(firstMs * 2 ** before, longestMs);
}

/** The waits before something is opened again that is lost again and again. */
export class ReopenPace {
  private readonly backoff: Backoff;
  /** How often in a row it could not be opened, or lived for a shorter time than it was waited for. */
  private losses = 0;
  private waitedMs: number;
  private openedAt = Infinity;

  constructor(backoff: Backoff) {
    this.backoff = backoff;
    this.waitedMs = backoff.firstMs;
  }

  /** Notes that it is open, which alone proves nothing: some servers accept a stream and end it at once. */
  opened(): void {
    this.openedAt = Date.now();
  }

  /** Returns how long to wait in milliseconds, now that it is lost or could not be opened. */
  lost(backoff: Backoff = this.backoff): number {
    if (Date.now() - this.openedAt >= this.waitedMs) this.losses = 0;
    this.openedAt = Infinity;
    this.waitedMs = backoffMs(backoff, this.losses);
    this.losses += 1;
    return this.waitedMs;
  }
}
