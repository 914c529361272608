import { jsonText } from '../../base/text/jsonText';
import { shownText } from '../../base/text/text';
import type { JsonObject } from '../../mcp/protocol/types';

/** How many narrow characters a row of a quick pick shows for certain, beside the heading of its section. */
const width = 64;

/** How much of a text becomes rows, in UTF-16 units; the whole stands in an editor. */
export const maxLooked = 50_000;

/** Scripts and pictures whose characters are twice as wide. */
const wide = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{Emoji_Presentation}！-｠]/u;

/**
 * The arguments as rows of a list: indented JSON without the outer braces, hidden characters shown,
 * long lines wrapped, nothing left out but the end of what would fill hundreds of rows.
 */
export function argumentLines(args: JsonObject): readonly string[] {
  const lines = jsonText(args, 2, maxLooked).split('\n').slice(1, -1);
  if (lines.length === 0) return ['{ }'];
  return lines.flatMap((line) => wrapLine(line.slice(2)));
}

/** A line as rows of a list that a server's text cannot break out of: no icons, blanks kept. */
export function wrapLine(line: string): readonly string[] {
  // Leading blanks would collapse, and `$(` would become an icon.
  const shown = shownText(line, maxLooked)
    .replace(/^ +/, (indent) => '\u2003'.repeat(indent.length / 2))
    .replaceAll('$(', '$\u2060(');
  const rows: string[] = [];
  let row = '';
  let taken = 0;
  for (const character of shown) {
    const columns = wide.test(character) ? 2 : 1;
    if (taken + columns > width) {
      rows.push(row);
      row = '';
      taken = 0;
    }
    row += character;
    taken += columns;
  }
  return [...rows, row];
}
