import { plainLabel, documentText } from './text';

/** One line of any text as Markdown that shows it as it is: no markup, link, image, HTML or icon of it works. */
export function escapeMarkdown(text: string, maxLength = 1000): string {
  return plainLabel(text, maxLength)
    .replaceAll('&', '&amp;')
    .replaceAll(/[\\`*_{}[\]()#+\-.!|<>~:]/g, String.raw`\$&`);
}

/** Text as a code block that it cannot end, hidden characters shown. */
export function fencedMarkdown(text: string, language = ''): string {
  const shown = documentText(text);
  const longest = (shown.match(/`+/g) ?? []).reduce(
    (most, { length }) => Math.max(most, length),
    2,
  );
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${shown}${shown.endsWith('\n') ? '' : '\n'}${fence}`;
}

/** One line of any text as Markdown code. */
export function inlineCode(text: string, maxLength = 1000): string {
  return `\`${plainLabel(text, maxLength).replaceAll('`', '´')}\``;
}
