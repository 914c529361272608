/** How much of a line is read at a glance, and how much of that stands before what differs, in UTF-16 units. */
const glance = 60;
const beginning = 25;
const before = 12;

/** Lines of which the beginnings are alike, each shortened to its beginning and what differs from the line most like it. */
export function tellApart(lines: readonly string[]): readonly string[] {
  return lines.map((line, at) => {
    const others = lines.filter((other, index) => index !== at && other !== line);
    const alike = Math.max(0, ...others.map((other) => alikeLength(line, other)));
    if (alike < glance) return line;
    return `${line.slice(0, beginning)} … ${line.slice(alike - before)}`;
  });
}

function alikeLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
