import { revealHidden } from '../base/text';
import type { JsonObject } from '../mcp/protocol';

const width = 96;

/**
 * The arguments as rows of a list: indented JSON without the outer braces, hidden characters shown,
 * long lines wrapped, nothing left out.
 */
export function argumentLines(args: JsonObject): readonly string[] {
  const lines = JSON.stringify(args, undefined, 2).split('\n').slice(1, -1);
  if (lines.length === 0) return ['{ }'];
  return lines.flatMap((line) => wrapLine(line.slice(2)));
}

/** A line as rows of a list that a server's text cannot break out of: no icons, blanks kept. */
export function wrapLine(line: string): readonly string[] {
  // Leading blanks would collapse, and `$(` would become an icon.
  const shown = revealHidden(line)
    .replace(/^ +/, (indent) => '\u2003'.repeat(indent.length / 2))
    .replaceAll('$(', '$\u2060(');
  const rows: string[] = [];
  for (let at = 0; at === 0 || at < shown.length; at += width)
    rows.push(shown.slice(at, at + width));
  return rows;
}
