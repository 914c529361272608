/** Returns what the lines of a file end with: as on Windows, if any does. */
export function lineEndOf(text: string): '\r\n' | '\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** The longest word that is compared. */
const longestWord = 40;

/** Returns the one of `words` that `word` most likely misspells, in a letter or two or in case; `undefined` if none is close. */
export function nearestWord(word: string, words: readonly string[]): string | undefined {
  if (word.length > longestWord) return undefined;
  const most = word.length < 5 ? 1 : 2;
  const written = word.toLowerCase();
  return words
    .map((one) => ({ one, far: editDistance(written, one.toLowerCase(), most) }))
    .filter(({ one, far }) => far <= most && far < one.length / 2)
    .toSorted((a, b) => a.far - b.far)[0]?.one;
}

/** Counts how many letters have to be added, removed, changed or swapped with their neighbor; not on beyond `most`. */
function editDistance(from: string, to: string, most: number): number {
  if (Math.abs(from.length - to.length) > most) return Infinity;
  let before: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let row = 1; row <= from.length; row += 1) {
    const line = [row];
    for (let column = 1; column <= to.length; column += 1) {
      const same = from[row - 1] === to[column - 1] ? 0 : 1;
      const swapped =
        row > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
          ? (before[column - 2] ?? Infinity) + 1
          : Infinity;
      line.push(
        Math.min(
          (last[column] ?? Infinity) + 1,
          (line[column - 1] ?? Infinity) + 1,
          (last[column - 1] ?? Infinity) + same,
          swapped,
        ),
      );
    }
    // A swap takes a letter of the row before the last one.
    if (Math.min(...line, ...last) > most) return Infinity;
    before = last;
    last = line;
  }
  return last[to.length] ?? Infinity;
}

/**
 * Replaces every occurrence of `literals` in a text in one pass; if several begin at one place, the longest.
 * Unlike a pattern made of them, this takes any number of literals of any length.
 */
export function replaceEach(
  text: string,
  literals: Iterable<string>,
  replacement: (found: string) => string,
): string {
  let places = [...literals]
    .filter((literal) => literal !== '' && text.includes(literal))
    .toSorted((a, b) => b.length - a.length)
    .map((literal) => ({ literal, at: text.indexOf(literal) }));
  const pieces: string[] = [];
  let done = 0;
  for (;;) {
    for (const place of places)
      if (place.at >= 0 && place.at < done) place.at = text.indexOf(place.literal, done);
    places = places.filter(({ at }) => at >= 0);
    let first = places[0];
    for (const place of places) if (first && place.at < first.at) first = place;
    if (!first) return pieces.join('') + text.slice(done);
    pieces.push(text.slice(done, first.at), replacement(first.literal));
    done = first.at + first.literal.length;
  }
}

/** The most rows that a pick shows at a time; the editor draws, filters and sends all of them on every change. */
export const maxPickRows = 1000;

/**
 * Narrows rows that are too many to be shown to those whose text has every word that was typed, at
 * most {@link maxPickRows}; `more` counts the further ones that match.
 */
export function narrow<T>(
  rows: readonly T[],
  typed: string,
  textOf: (row: T) => string,
): { readonly shown: readonly T[]; readonly more: number } {
  if (rows.length <= maxPickRows) return { shown: rows, more: 0 };
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  const fitting =
    words.length === 0
      ? rows
      : rows.filter((row) => {
          const text = textOf(row).toLowerCase();
          return words.every((word) => text.includes(word));
        });
  const shown = fitting.slice(0, maxPickRows);
  return { shown, more: fitting.length - shown.length };
}

/** Decodes percent-encoding; a text with malformed encoding stays as it is. */
export function decodePercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/* Text that a server, a file or a web page wrote is data: these functions make it safe to show. */

/**
 * Matches what a reader cannot see or what reorders what is seen: controls, format characters (bidirectional marks,
 * zero-width, tags), separators, unpaired surrogates, which model providers refuse, all that Unicode lets programs leave
 * out, and what is blank without being named there, such as what stands for an object, which no browser draws. A function, since the sets of Unicode take long to look up, and
 * most windows load this long before a text is not plain.
 */
export const unseenCharacters = (): RegExp =>
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800\u2D7F\uFFFC\u{13441}\u{13442}\u{16FE4}\u{1D159}]/gu;

/** A picture as such: no number, no code point that Unicode keeps for further ones. */
const emoji = String.raw`(?=\p{Emoji})\p{Extended_Pictographic}`;

/**
 * The unseen characters of a text to show. Tab and line feed stay. Part of what is seen is one selector that makes an
 * emoji of a sign, or a sign of an emoji, and the one joiner between two emoji.
 */
const hidden = (): RegExp =>
  new RegExp(
    String.raw`(?![\t\n])${unseenCharacters().source}(?<!(?![\d#*])\p{Emoji}[\uFE0E\uFE0F]|[\d#*]\uFE0F(?=\u20E3)|${emoji}\p{Emoji_Modifier}?\uFE0F?\u200D(?=${emoji}))`,
    'gu',
  );

/** The longest tooltip of a row, in UTF-16 units. */
export const maxTooltipLength = 10_000;

/** The longest text that is shown in an editor of its own, in UTF-16 units. */
export const maxDocumentLength = 1_000_000;

/** A label is made from this many times its length of text, because runs of blanks in it collapse. */
const labelMargin = 10;

/** Text of the characters that most texts consist of, none of which is hidden. */
const plain =
  /^[\t\n -~\u00A0-\u00AC\u00AE-\u034E\u0350-\u05FF\u2010-\u2027\u2030-\u205F\u2070-\u27FF\u2801-\u2D7E\u2D80-\u3163\u3165-\uD7FF]*$/;

/** UTF-16 units the first two of which are looked at together. */
const boundByNext =
  /^(?:[\r\uD800-\uDBFF\u200D]|[^][\uFE0E\uFE0F\u20E3\u200D]|[^]\uD83C[\uDFFB-\uDFFF])/;

/** A long text is examined in pieces of this many UTF-16 units, because most of them are plain. */
const pieceLength = 10_000;

/** Replaces every hidden character with its code point in the form `⟨U+202E⟩`; line ends and tabs stay. */
export function revealHidden(text: string): string {
  const forms = new Map<string, string>();
  const formOf = (character: string) => {
    const known = forms.get(character) ?? `⟨U+${codePoint(character)}⟩`;
    forms.set(character, known);
    return known;
  };
  const reveal = (piece: string) =>
    plain.test(piece) ? piece : piece.replaceAll('\r\n', '\n').replace(hidden(), formOf);
  if (text.length <= pieceLength) return reveal(text);
  const pieces = wholePieces(text);
  const shown = pieces.map(reveal);
  // Most long texts are plain, and need no copy.
  return shown.every((piece, at) => piece === pieces[at]) ? text : shown.join('');
}

/** Splits a text into pieces, but never inside a surrogate pair, a line end or an emoji, joined ones included. */
function wholePieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += pieces.at(-1)?.length ?? 1) {
    let to = from + pieceLength;
    while (to < text.length && boundByNext.test(text.slice(to - 1, to + 2))) to += 1;
    pieces.push(text.slice(from, to));
  }
  return pieces;
}

/** Returns a text for a tooltip: {@link revealHidden} of its beginning. */
export function tooltipText(text: string): string {
  return shownText(text, maxTooltipLength);
}

/** Returns a text to read in an editor: {@link revealHidden}, only the beginning of an enormous text. */
export function documentText(text: string): string {
  return shownText(text, maxDocumentLength);
}

/** Returns {@link documentText} where that is all of a text; what nobody can see in full, nobody can agree to. */
export function wholeDocumentText(text: string): string | undefined {
  if (text.length > maxDocumentLength) return undefined;
  const shown = revealHidden(text);
  return shown.length <= maxDocumentLength ? shown : undefined;
}

/** Returns {@link revealHidden} of the beginning of a text; what is left out of an enormous one costs nothing. */
export function shownText(text: string, maxLength: number): string {
  const near = truncate(text, maxLength);
  if (near.length <= pieceLength) return truncate(revealHidden(near), maxLength);
  const shown: string[] = [];
  let length = 0;
  for (const piece of wholePieces(near)) {
    shown.push(revealHidden(piece));
    length += shown.at(-1)?.length ?? 0;
    // One more than there is room for, so that the cut is seen.
    if (length > maxLength) break;
  }
  return truncate(shown.join(''), maxLength);
}

/**
 * Returns a text of any length as a document to read has it: {@link revealHidden}, but the very same text where nothing
 * is hidden, without the mark of its encoding that it may begin with. It ends early only where what is made visible adds more than {@link maxDocumentLength}.
 */
export function readableText(text: string): string {
  const read = withoutMark(text);
  if (wholePieces(read).every((piece) => plain.test(piece))) return read;
  const shown = shownText(read, read.length + maxDocumentLength);
  return shown === read.replaceAll('\r\n', '\n') ? read : shown;
}

/** Returns a text without the byte order mark that it may begin with, which is no part of it. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Returns JSON with each hidden character in its strings as an escape, which is seen and still means the same. */
export function escapeHidden(json: string): string {
  const escape = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return json.replace(hidden(), (character) => character.split('').map(escape).join(''));
}

/** The first sign of a command that the runners of GitHub, Azure, TeamCity and Octopus take from any place of a line. */
export const runnerSign = /#(?=#\w*\[)/g;

/** Returns a text for a terminal, as {@link terminalExact} does, but without colors. */
export function terminalText(text: string): string {
  return terminalExact(withoutColors(text));
}

/**
 * Returns a text for a terminal: what is hidden is visible, each further line is indented as no line of a program's own
 * is, and none of it is a command for whoever runs the program.
 */
export function terminalExact(text: string): string {
  return (
    revealHidden(text)
      .replaceAll(/\n(?! {4}|$)/g, '\n    ')
      // The runner of GitHub trims blanks of every kind.
      .replaceAll(/^([^\S\n\r\u2028\u2029]*):(?=:)/gm, '$1⟨U+003A⟩')
      .replaceAll(runnerSign, '⟨U+0023⟩')
  );
}

/** The same for JSON, which still means the same. */
export function terminalJson(json: string): string {
  return escapeHidden(json).replaceAll(runnerSign, '\\u0023');
}

/** Removes what only colors a text in a terminal and what goes with it, which would stand as numbers in it; all else stays, to be shown. */
export function withoutColors(text: string): string {
  // oxlint-disable-next-line no-control-regex -- a color begins with one
  return text.replaceAll(/(?:\u001B\[|\u009B)[\d;:]*[mK]|\u001B\([AB0]/g, '');
}

/** True if {@link revealHidden} would change more than line ends. */
export function hasHidden(text: string): boolean {
  return hidden().test(text.replaceAll('\r\n', '\n'));
}

/**
 * Returns one line for a tree item, quick pick or message: hidden characters are made visible, and the
 * editor does not turn `$(icon)` into an icon or `[text](command:…)` into a link that runs a command.
 */
export function plainLabel(text: string, maxLength = 200): string {
  // A text that already is a label stays as it is: parts of a message become labels before they are joined.
  const near = truncate(text.trimStart(), maxLength * labelMargin);
  const line = revealHidden(asWritten(near)).replaceAll(/\s+/g, ' ').trim();
  return truncate(line, maxLength).replaceAll(/[$\]](?=\()/g, '$&\u2060');
}

/**
 * Returns one line of what others say, such as an error or how far something is: {@link plainLabel} without colors.
 * Names, arguments and what is asked about keep them, so that none passes for another.
 */
export function wordsLabel(text: string, maxLength = 200): string {
  const near = truncate(text.trimStart(), 2 * maxLength * labelMargin);
  return plainLabel(withoutColors(near), maxLength);
}

/** Removes what {@link plainLabel} put into a text to keep the editor from parsing it. */
export function asWritten(text: string): string {
  return text.replaceAll(/([$\]])\u2060\(/g, '$1(');
}

/** The longest message or prompt, in UTF-16 units. */
export const longestMessage = 1000;

/** Returns the prompt of a box, or the message of a view or a failed test: like {@link plainLabel}, but longer. */
export function plainMessage(text: string): string {
  return plainLabel(text, longestMessage);
}

/** Cuts a text to at most `maxLength` UTF-16 units, with an ellipsis in place of what was cut. */
export function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - 1);
  return `${cut.replace(/\u200D?[\uD800-\uDBFF]?$/, '')}…`;
}

/** Like {@link truncate}, but cuts in the middle: the end of a path says most. */
export function truncateMiddle(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const begin = truncate(text, Math.ceil(maxLength / 2));
  const end = text.slice(text.length - (maxLength - begin.length));
  return begin + end.replace(/^[\uDC00-\uDFFF]?(?:(?:\uD83C[\uDFFB-\uDFFF])?\uFE0F?\u200D)?/, '');
}

/** Removes the characters at the end of a text that match; `/x+$/` would start over at each of them. */
export function trimEnd(text: string, pattern: RegExp): string {
  let end = text.length;
  while (end > 0 && pattern.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** Returns a number of bytes for users: `512 B`, `1.5 kB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB'];
  let value = bytes / 1000;
  let unit = 0;
  // A value that rounds to 1000 is shown as 1 of the next unit.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} ${units[unit]}`;
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}

/**
 * Returns a text as one word of a POSIX shell: nothing but its own quotes has a meaning between quotes. Nor has anything
 * else to fish, which takes a backslash before another, or before such a quote, for an escape.
 */
export function posixQuoted(text: string): string {
  const quoted = text.replaceAll(
    /(?:'|\\(?=[\\']|$))[\\']*/g,
    (run) => `'"${run.replaceAll('\\', String.raw`\\`)}"'`,
  );
  return `'${quoted}'`;
}
