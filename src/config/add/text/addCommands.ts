import { addStart } from './addedServer';

/** The indentation and the prompt before a command in a terminal. */
const shellPrompt = /^\s*(?:[$>]\s+)?/;

/** A line that can only continue the command above it. */
const goesOn = /^(?:-\w|--(?:\w|\s|$))/;

/**
 * Returns the commands in a text that add a server to another application; each may continue on further lines: after
 * `\`, within quotes, or with options.
 */
export function addCommands(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.replace(shellPrompt, ''));
  const starts = lines.flatMap((line, at) => (addStart.test(line) ? [at] : []));
  return starts.map((from, index) => {
    const rest = lines.slice(from, starts[index + 1]);
    return rest.slice(0, lengthOf(rest)).join('\n');
  });
}

/** The number of lines that belong to the command in the first one. */
function lengthOf(lines: readonly string[]): number {
  let open = '';
  let length = 1;
  for (const [at, line] of lines.entries()) {
    open = openAfter(line, open);
    if (open !== '') continue;
    length = at + 1;
    if (!line.endsWith('\\') && !goesOn.test(lines[length] ?? '')) break;
  }
  return length;
}

/** The quote that is still open after a line; empty if none is. */
function openAfter(line: string, before: string): string {
  let open = before;
  for (const [mark] of line.matchAll(/\\"|["']/g))
    // Within quotes, an escaped quote or one of the other kind is literal.
    if (open === '') open = mark.slice(-1);
    else if (open === mark) open = '';
  return open;
}
