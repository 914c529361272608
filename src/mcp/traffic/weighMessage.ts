/** Nothing that stands deeper in a message is looked at. */
const deepest = 100;

/** What a value takes beside its text, roughly. */
const valueWeight = 8;

/**
 * About how many bytes a message takes in memory, or more than `limit` where it takes more or is nested too
 * deep. It is asked of each message, so it looks at no character and stops at the limit.
 */
export function weighMessage(message: unknown, limit: number): number {
  return limit - weigh(message, limit, 0);
}

/** What is left of a weight, negative where it does not suffice. */
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
