import { plainLabel } from '../base/text';

/** One line of any text as Markdown that shows it as it is: no markup, link, image, HTML or icon of it works. */
export function escapedLine(text: string, maxLength?: number): string {
  return plainLabel(text, maxLength)
    .replaceAll('&', '&amp;')
    .replaceAll(/[\\`*_{}[\]()#+\-.!|<>~:]/g, String.raw`\$&`);
}
