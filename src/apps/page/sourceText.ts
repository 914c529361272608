import { documentText } from '../../base/text/text';

/**
 * The HTML of an app as it is read and compared: apps are mostly one line of a million characters, so that
 * lines are broken after each element and each statement; hidden characters are shown.
 */
export function sourceText(html: string): string {
  return documentText(html.replaceAll(/(>)(?=<)|([;{}])(?=[^\s;,)}\]'"`])/g, '$&\n'));
}
