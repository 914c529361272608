/* Text that a server, a file or a web page wrote is data: these functions make it safe to show. */

/**
 * Characters that a reader cannot see or that reorder what is seen: controls but tab and line feed,
 * format characters (bidirectional marks, zero-width, tags), separators, fillers, the variation
 * selectors that can carry hidden data, and halves of characters, which model providers refuse.
 */
const hidden =
  /(?![\t\n])[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]|\u034F|\u115F|\u1160|\u17B4|\u17B5|[\u180B-\u180F]|\u3164|\uFFA0|[\u{E0100}-\u{E01EF}]/gu;

/** The longest text that is shown beside a row, in UTF-16 units. */
export const maxTooltipLength = 10_000;

/** The longest text that is shown in an editor of its own, in UTF-16 units. */
export const maxDocumentLength = 1_000_000;

/** Of a text that becomes a label, so many times the label's length is looked at: blanks may run on in it. */
const labelMargin = 10;

/** A text of nothing but characters of which none is hidden: those that most texts consist of. */
const plain = /^[\t\n -~\u00A0-\u00AC\u00AE-\u034E\u0350-\u05FF\u3000-\u3163\u3165-\uD7FF]*$/;

/** A long text is looked at in pieces of so many UTF-16 units, of which most are plain. */
const pieceLength = 10_000;

/** Replaces every hidden character by its code point in the form `⟨U+202E⟩`; line ends and tabs stay. */
export function revealHidden(text: string): string {
  const forms = new Map<string, string>();
  const formOf = (character: string) => {
    const known = forms.get(character) ?? `⟨U+${codePoint(character)}⟩`;
    forms.set(character, known);
    return known;
  };
  const reveal = (piece: string) =>
    plain.test(piece) ? piece : piece.replaceAll('\r\n', '\n').replace(hidden, formOf);
  if (text.length <= pieceLength) return reveal(text);
  const pieces = wholePieces(text);
  const shown = pieces.map(reveal);
  // Most long texts are plain, and need no copy.
  return shown.every((piece, at) => piece === pieces[at]) ? text : shown.join('');
}

/** The text in pieces that part neither the halves of a character nor those of a line end. */
function wholePieces(text: string): readonly string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; from += pieces.at(-1)?.length ?? 1) {
    let to = from + pieceLength;
    while (to < text.length && /[\r\uD800-\uDBFF]/.test(text.charAt(to - 1))) to += 1;
    pieces.push(text.slice(from, to));
  }
  return pieces;
}

/** What stands beside a row: {@link revealHidden} of the beginning of a text. */
export function tooltipText(text: string): string {
  return shownText(text, maxTooltipLength);
}

/** What stands in an editor, to be read: {@link revealHidden}, of an enormous text the beginning. */
export function documentText(text: string): string {
  return shownText(text, maxDocumentLength);
}

/** {@link revealHidden} of the beginning of a text, cut before it is cleaned: an enormous text costs no more. */
export function shownText(text: string, maxLength: number): string {
  return truncate(revealHidden(truncate(text, maxLength)), maxLength);
}

/** True when {@link revealHidden} would change more than line ends. */
export function hasHidden(text: string): boolean {
  return text.replaceAll('\r\n', '\n').search(hidden) >= 0;
}

/**
 * One line for a tree item, quick pick or message: hidden characters shown, neither `$(icon)` nor
 * `[text](command:…)` parsed, which the editor would make an icon and a link that runs a command.
 */
export function plainLabel(text: string, maxLength = 200): string {
  // What is a label already stays as it is: parts of a message are labels before they are put together.
  const near = truncate(text.trimStart(), maxLength * labelMargin);
  const line = revealHidden(asWritten(near)).replaceAll(/\s+/g, ' ').trim();
  return truncate(line, maxLength).replaceAll(/[$\]](?=\()/g, '$&\u2060');
}

/** A text without what {@link plainLabel} put into it to keep the editor from parsing it. */
export function asWritten(text: string): string {
  return text.replaceAll(/([$\]])\u2060\(/g, '$1(');
}

/** The text of a notification, whoever wrote parts of it: as {@link plainLabel}, but longer. */
export function plainMessage(text: string): string {
  return plainLabel(text, 1000);
}

/** Cuts to `maxLength` UTF-16 units at most, with an ellipsis in place of what was cut. */
export function truncate(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const cut = text.slice(0, maxLength - 1);
  return `${/[\uD800-\uDBFF]$/.test(cut) ? cut.slice(0, -1) : cut}…`;
}

/** A text without the characters at its end that match; `/x+$/` would begin anew at each of them. */
export function trimEnd(text: string, pattern: RegExp): string {
  let end = text.length;
  while (end > 0 && pattern.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

/** A number of bytes for people: `512 B`, `1.5 kB`, `12 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const units = ['kB', 'MB', 'GB'];
  let value = bytes / 1000;
  let unit = 0;
  // What rounds to 1000 is one of the next unit.
  while (value >= 999.5 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10} ${units[unit]}`;
}

function codePoint(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
}
