/**
 * The text that was meant when a text with line breaks was pasted into a one-line box, which makes
 * spaces of them or drops them; `undefined` when `value` does not hold what the clipboard holds.
 */
export function withLineBreaks(value: string, clipboard: string): string | undefined {
  // A line that was copied whole ends with a break that nobody means.
  if (!/[\r\n]\s*\S/.test(clipboard)) return undefined;
  for (const replacement of [' ', '']) {
    const flat = clipboard.replaceAll(/\r\n|\r|\n/g, replacement);
    const at = value.indexOf(flat);
    if (flat && at >= 0) return value.slice(0, at) + clipboard + value.slice(at + flat.length);
  }
  return undefined;
}
