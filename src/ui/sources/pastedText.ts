import { trimEnd } from '../../base/text/text';

/** The longest text that is taken for one word: an input method, or a phone, may put in a whole one at once. */
const longestWord = 30;

/**
 * Whether what is in a box now may have been pasted there; with `mayAsk`, where to look into the clipboard may
 * disturb the user, only if it was hardly put in otherwise.
 */
export function mayBePasted(before: string, after: string, mayAsk: boolean): boolean {
  const grown = newPart(before, after);
  if (!mayAsk) return grown.length > 1;
  return grown.length > longestWord || /\S\s+\S/.test(grown);
}

/** What stands between the parts that both texts begin and end with. */
function newPart(before: string, after: string): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  const most = Math.min(before.length, after.length) - start;
  let end = 0;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return after.slice(start, after.length - end);
}

/**
 * The text that was meant when a text with line breaks was pasted into a one-line box, which makes
 * spaces of them or drops them, and the last ones anyhow; `undefined` when `value` does not hold what the clipboard holds.
 */
export function withLineBreaks(value: string, clipboard: string): string | undefined {
  // A line that was copied whole ends with a break that nobody means.
  if (!/[\r\n]\s*\S/.test(clipboard)) return undefined;
  for (const text of [clipboard, trimEnd(clipboard, /[\r\n]/)])
    for (const replacement of [' ', '']) {
      const flat = text.replaceAll(/\r\n|\r|\n/g, replacement);
      const at = value.indexOf(flat);
      if (flat && at >= 0) return value.slice(0, at) + text + value.slice(at + flat.length);
    }
  return undefined;
}
