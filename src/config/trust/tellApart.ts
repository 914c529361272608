/** How much of a line is read at a glance, and how much of that stands before what differs, in UTF-16 units. */
const glance = 60;
const beginning = 25;
const before = 12;

/** Lines of which the beginnings are alike, each shortened to its beginning and what differs from the line most like it. */
export function tellApart(lines: readonly string[]): readonly string[] {
  const sorted = [...new Set(lines)].toSorted();
  const shown = new Map(
    sorted.map((line, at) => {
      // In this order those that are most alike stand side by side.
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
