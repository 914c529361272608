/** Returns epoch milliseconds with their fraction, so that what follows within the same millisecond is still later. */
export function monotonicNow(): number {
  return performance.timeOrigin + performance.now();
}
