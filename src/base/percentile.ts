/** Returns the smallest value that this part of the sorted values does not exceed; `undefined` if there are none. */
export function percentile(sorted: readonly number[], part: number): number | undefined {
  return sorted[Math.max(Math.ceil(sorted.length * part) - 1, 0)];
}
