import { asWritten, revealHidden, truncate } from './text';

/** How many narrow characters a row of a quick pick shows beside its section's heading, even in a window of 700 pixels. */
export const rowWidth = 44;

/** The longest part of a text that becomes rows, in UTF-16 units; an editor shows all of it. */
export const maxLooked = 50_000;

/** Scripts and emoji whose characters are twice as wide. */
const wide = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hiragana}\p{sc=Katakana}\p{Emoji_Presentation}！-｠]/u;

/** The characters that a row may end after, the best first. */
const separators = [' ', '/', '\\'];

/**
 * Wraps a line into rows of a list that a server's text cannot break out of: no icons, blanks kept. A row
 * ends after a word, or else after a part of a path, if that leaves it at least half full.
 */
export function wrapLine(line: string, room = rowWidth): readonly string[] {
  return wrapShown(rowText(line), room);
}

/** Wraps a text that already is as rows show it. */
export function wrapShown(shown: string, room = rowWidth): readonly string[] {
  const rows: string[] = [];
  let row = '';
  let taken = 0;
  for (const character of shown) {
    const columns = widthOf(character);
    if (taken + columns > room) {
      const ends =
        character === ' ' ? [row.length] : separators.map((one) => row.lastIndexOf(one) + 1);
      const at = ends.find((end) => widthOf(row.slice(0, end)) * 2 >= room) ?? row.length;
      rows.push(row.slice(0, at));
      row = row.slice(at);
      taken = widthOf(row);
    }
    row += character;
    taken += columns;
  }
  return [...rows, row];
}

/** Returns the rows of one text with all but the first indented. */
export function indentRest([first = '', ...others]: readonly string[]): readonly string[] {
  return [first, ...others.map((more) => `\u2003\u2003${more}`)];
}

/** Returns a text as a row shows it: hidden characters made visible, no icons, leading blanks kept. */
export function rowText(text: string): string {
  // Leading blanks would collapse, `$(` would become an icon and `](` a link.
  return revealHidden(asWritten(truncate(text, maxLooked)))
    .replace(/^ +/, (indent) => '\u2003'.repeat(Math.ceil(indent.length / 2)))
    .replaceAll(/[$\]](?=\()/g, '$&\u2060');
}

/** Returns the width of a text in narrow characters. */
export function widthOf(text: string): number {
  let columns = 0;
  for (const character of text) columns += wide.test(character) ? 2 : 1;
  return columns;
}
