/** A text with another one behind it, as if that were pasted at its end; one of several lines begins a line of its own. */
export function withInserted(current: string, text: string): string {
  const isApart = current === '' || /\s$/.test(current) || !text.trimEnd().includes('\n');
  return isApart ? current + text : `${current}\n${text}`;
}
