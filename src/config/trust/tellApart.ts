/** How much of a line is read at a glance, and how much of its beginning and before a difference is kept, in UTF-16 units. */
const glance = 60;
const beginning = 25;
const before = 12;

/** Shortens each line that begins like another to its beginning and what differs from the most similar line. */
export function tellApart(lines: readonly string[]): readonly string[] {
  const sorted = [...new Set(lines)].toSorted();
  const shown = new Map(
    sorted.map((line, at) => {
      // In this order, the most similar lines are next to each other.
      const beside = [sorted[at - 1] ?? '', sorted[at + 1] ?? ''];
      const alike = Math.max(...beside.map((other) => alikeLength(line, other)));
      return [
        line,
        alike < glance ? line : `${line.slice(0, beginning)} … ${line.slice(alike - before)}`,
      ];
    }),
  );
  return lines.map((line) => shown.get(line) ?? line);
}

function alikeLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
