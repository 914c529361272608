/** Epoch milliseconds with their fraction, so that what follows within a millisecond is still later. */
export function monotonicNow(): number {
  return performance.timeOrigin + performance.now();
}
