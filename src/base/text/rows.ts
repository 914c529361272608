import { asWritten, revealHidden, truncate } from './text';

/**
 * How wide a text in a row of a quick pick may be, in pixels: as wide as a window of 700 shows it, where there are 409
 * without an icon. Nothing tells an extension how wide a window is, and one that is narrower than expected cuts off the
 * ends of rows that nobody counts.
 */
export const rowRoom = 400;

/** What takes of the room of a row: its icon, the gap beside the heading of a section, and the indent, in pixels. */
const iconWidth = 22;
const headingGap = 8;
const restIndent = '\u2003\u2003';

/** The longest part of a text that becomes rows, in UTF-16 units; an editor shows all of it. */
export const maxLooked = 50_000;

/**
 * The widths of characters in pixels, each class at its widest in DejaVu Sans, the widest of the fonts that editors use
 * for lists; a character of none of these classes may be as wide as an emoji.
 */
const widths: readonly (readonly [RegExp, number])[] = [
  [/[ijlI'|/\\.,:;\u00a0 ]/, 4.4],
  [/[Jftr!()[\]-]/, 5.3],
  [/["*`_sz?cLFk]/, 7.5],
  [/[a-bd-eg-hn-qu-vx-yEPS-TY$\d]/, 8.5],
  [/[DG#HM&NO+QU<w=>^~]/, 11.2],
  [/[mW%@]/, 13],
  [/[\u0020-\u007e]/, 9.1],
  [/[\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Hebrew}\p{sc=Arabic}]/u, 11.2],
];
const widest = 14;

const widthOfOne = (character: string): number =>
  widths.find(([those]) => those.test(character))?.[1] ?? widest;
const widthsOfAscii = Array.from({ length: 128 }, (_, code) =>
  widthOfOne(String.fromCharCode(code)),
);

/** What a row may end after besides a word that fits into the next one, the best first. */
const separators = ['/\\', ',;&?|=:', '-_.'];

/** More of a word than a row has room for, in UTF-16 units. */
const longestWord = 200;

/** How much room the rows of a text have, in pixels. */
export interface RowsRoom {
  readonly first: number;
  readonly others: number;
}

/** What stands beside rows, and how wide they may be. */
export interface RowsPlace {
  /** The heading of the section, which takes room of the first row alone. */
  readonly heading?: string | undefined;
  readonly hasIcon?: boolean;
}

/** Returns the room for rows at a place; with `isIndented`, of those whose first row alone is not indented. */
export function roomAt({ heading = '', hasIcon = false }: RowsPlace, isIndented = false): RowsRoom {
  const left = rowRoom - (hasIcon ? iconWidth : 0);
  const beside = heading === '' ? 0 : widthOf(heading) + headingGap;
  return {
    first: Math.max(left / 2, left - beside),
    others: left - (isIndented ? widthOf(restIndent) : 0),
  };
}

/**
 * Wraps a line into rows of a list that a server's text cannot break out of: no icons, blanks kept. A row ends after a
 * word that the next one has room for, or else after a part of a path or a list, if that leaves it at least half full.
 */
export function wrapLine(line: string, room = roomAt({})): readonly string[] {
  return wrapShown(rowText(line), room);
}

/** Wraps a line in the same way, with all rows but the first indented. */
export function wrapIndented(line: string, place: RowsPlace = {}): readonly string[] {
  return indentRest(wrapLine(line, roomAt(place, true)));
}

/** Wraps a text that already is as rows show it. */
export function wrapShown(shown: string, { first, others }: RowsRoom): readonly string[] {
  const rows: string[] = [];
  let row = '';
  let taken = 0;
  let room = first;
  let index = 0;
  for (const character of shown) {
    const width = widthOf(character);
    // Only one blank: at the beginning of the next row, it would show as an indent.
    const staysBehind = character === ' ' && !row.endsWith(' ');
    if (taken + width > room && row !== '' && !staysBehind) {
      const rest = shown.slice(index, index + longestWord);
      const at = character === ' ' ? row.length : endOf(row, rest, { first: room, others });
      rows.push(row.slice(0, at));
      row = row.slice(at);
      taken = widthOf(row);
      room = others;
    }
    row += character;
    taken += width;
    index += character.length;
  }
  return [...rows, row];
}

/** Returns where a row ends that `rest` goes on from in the middle of a word. */
function endOf(row: string, rest: string, { first: room, others }: RowsRoom): number {
  const space = row.lastIndexOf(' ') + 1;
  const ends = [space, ...separators.map((those) => 1 + lastOf(those, row))];
  const end = ends.find((at) => widthOf(row.slice(0, at)) * 2 >= room);
  if (end !== undefined) return end;
  const [left = ''] = rest.split(' ', 1);
  return space > 0 && widthOf(row.slice(space) + left) <= others ? space : row.length;
}

function lastOf(characters: string, row: string): number {
  return Math.max(...Array.from(characters, (character) => row.lastIndexOf(character)));
}

/** Returns the rows of one text with all but the first indented. */
export function indentRest([first = '', ...others]: readonly string[]): readonly string[] {
  return [first, ...others.map((more) => restIndent + more)];
}

/** Returns a text as a row shows it: hidden characters made visible, no icons, leading blanks kept. */
export function rowText(text: string): string {
  // Leading blanks would collapse, `$(` would become an icon and `](` a link.
  return revealHidden(asWritten(truncate(text, maxLooked)))
    .replace(/^ +/, (indent) => '\u2003'.repeat(Math.ceil(indent.length / 2)))
    .replaceAll(/[$\]](?=\()/g, '$&\u2060');
}

/** Returns at least the width of a text in a list, in pixels. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text)
    width += widthsOfAscii[character.codePointAt(0) ?? 0] ?? widthOfOne(character);
  return width;
}
