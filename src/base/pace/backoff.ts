/** Waits that double from the first to the longest; times in milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** For what is tried for as long as it is wanted: again after a second, then later and later, up to a minute. */
export const patientBackoff: Backoff = { firstMs: 1000, longestMs: 60_000 };

/** How long to wait when so many waits came before. */
export function backoffMs({ firstMs, longestMs }: Backoff, before: number): number {
  return Math.min(firstMs * 2 ** before, longestMs);
}
