/** How a launch has changed: lines that are new, and lines that are gone. */
export interface LaunchChanges {
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Compares two texts of a launch line by line, regardless of order; titles and blank lines do not count. */
export function launchChanges(before: string, now: string): LaunchChanges {
  const [old, young] = [linesOf(before), linesOf(now)];
  return { added: without(young, old), removed: without(old, young) };
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').flatMap((line) => (/^\s+\S/.test(line) ? [line.trim()] : []));
}

/** Returns the lines that occur more often here than in `others`. */
function without(lines: readonly string[], others: readonly string[]): readonly string[] {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  return lines.filter((line) => {
    const count = left.get(line) ?? 0;
    left.set(line, count - 1);
    return count <= 0;
  });
}
