/**
 * Returns the nonempty lines of a file that another program may be writing: the last one counts only once it is
 * terminated.
 */
export function wholeLines(text: string): readonly string[] {
  return text.split('\n').slice(0, -1).filter(Boolean);
}
