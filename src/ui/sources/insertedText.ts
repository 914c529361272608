/** Appends a text to the current one as if it were pasted at its end; a text of several lines begins on a new line. */
export function withInserted(current: string, text: string): string {
  const isApart = current === '' || /\s$/.test(current) || !text.trimEnd().includes('\n');
  return isApart ? current + text : `${current}\n${text}`;
}
