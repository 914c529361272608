import { addStart } from './addedServer';

/** What shows before a command in a terminal. */
const shellPrompt = /^\s*(?:[$>]\s+)?/;

/** A line that only goes on with the command above it. */
const goesOn = /^(?:-\w|--(?:\w|\s|$))/;

/**
 * The commands of a text that add a server to another application, each of which may go on over several
 * lines: behind `\`, between quotes, and with options.
 */
export function addCommands(text: string): readonly string[] {
  const lines = text.split(/\r?\n/).map((line) => line.replace(shellPrompt, ''));
  const starts = lines.flatMap((line, at) => (addStart.test(line) ? [at] : []));
  return starts.map((from, index) => {
    const rest = lines.slice(from, starts[index + 1]);
    return rest.slice(0, lengthOf(rest)).join('\n');
  });
}

/** How many of the lines belong to the command that they begin with. */
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

/** The quote that is open behind a line, if any. */
function openAfter(line: string, before: string): string {
  let open = before;
  for (const [mark] of line.matchAll(/\\"|["']/g))
    // Within others a quote stands for itself, as one does that is escaped.
    if (open === '') open = mark.slice(-1);
    else if (open === mark) open = '';
  return open;
}
