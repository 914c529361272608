import { documentText } from '../../base/text/text';

/**
 * Returns the HTML of an app in a form to read and compare, with hidden characters made visible and line
 * breaks after each element and statement, because most apps are one line of a million characters.
 */
export function sourceText(html: string): string {
  return documentText(html.replaceAll(/(>)(?=<)|([;{}])(?=[^\s;,)}\]'"`])/g, '$&\n'));
}
