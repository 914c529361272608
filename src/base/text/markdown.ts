import { documentText, plainLabel, withoutColors } from './text';

/** Escapes a text for HTML or XML, attributes included. */
export function escapeMarkup(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}

/** Returns one line of any text as Markdown that shows it literally: no markup, link, image, HTML or icon in it works. */
export function escapeMarkdown(text: string, maxLength = 1000): string {
  return plainLabel(text, maxLength)
    .replaceAll('&', '&amp;')
    .replaceAll(/[\\`*_{}[\]()#+\-.!|<>~:]/g, String.raw`\$&`);
}

/** Returns text as a code block that it cannot end, with hidden characters made visible. */
export function fencedMarkdown(text: string, language = ''): string {
  const shown = documentText(text);
  const longest = (shown.match(/`+/g) ?? []).reduce(
    (most, { length }) => Math.max(most, length),
    2,
  );
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown}${shown.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** Returns one line of any text as inline code in Markdown. */
export function inlineCode(text: string, maxLength = 1000): string {
  return `\`${plainLabel(text, maxLength).replaceAll('`', '´')}\``;
}

/** A piece of a line in a chat: text that is shown literally, or text that is shown as code. */
export type ChatPiece = string | { readonly code: string; readonly maxLength?: number };

/** Joins pieces to one line of Markdown in which no markup, link, image, HTML or icon of any piece works. */
export function chatLine(pieces: readonly ChatPiece[]): string {
  return pieces
    .map((piece) =>
      typeof piece === 'string'
        ? escapeMarkdown(withoutColors(piece))
        : inlineCode(piece.code, piece.maxLength),
    )
    .join(' ');
}
