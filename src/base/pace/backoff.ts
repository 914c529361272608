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
