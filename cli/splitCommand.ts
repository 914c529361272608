/** A command line as the words that a shell would make of it: quotes group, a backslash takes the next as it is. */
export function splitCommand(line: string): readonly string[] {
  const words: string[] = [];
  const pattern = /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g;
  for (const [word] of line.matchAll(pattern))
    words.push(
      word.replaceAll(/\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/g, (_, one, double, single) =>
        String(one ?? single ?? String(double).replaceAll(/\\(.)/g, '$1')),
      ),
    );
  return words;
}
