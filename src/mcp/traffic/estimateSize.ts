/** A message that is nested deeper counts as too large. */
const deepest = 100;

/** The approximate size of a value in addition to its text, in bytes. */
const valueWeight = 8;

/**
 * Estimates how many bytes a message takes in memory; returns more than `limit` if it takes more or is nested
 * too deep. It runs for each message, so it does not look at characters and stops at the limit.
 */
export function estimateSize(message: unknown, limit: number): number {
  return limit - weigh(message, limit, 0);
}

/** Returns what is left of a weight; negative if it does not suffice. */
function weigh(value: unknown, left: number, depth: number): number {
  if (typeof value === 'string') return left - valueWeight - value.length;
  if (typeof value !== 'object' || value === null) return left - valueWeight;
  if (depth > deepest) return -1;
  let rest = left - 4 * valueWeight;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length && rest >= 0; at += 1)
      rest = weigh(value[at], rest, depth + 1);
    return rest;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    if (rest < 0) break;
    rest = weigh(fields[name], rest - name.length, depth + 1);
  }
  return rest;
}
