const syntax = {
  posix: {
    words: /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g,
    parts: /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/g,
    escaped: /\\(.)/g,
  },
  // Paths are full of backslashes there.
  windows: {
    words: /(?:[^\s"'\\]|\\"|\\|"(?:\\"|[^"])*"|'[^']*')+/g,
    parts: /\\(")|"((?:\\"|[^"])*)"|'([^']*)'/g,
    escaped: /\\(")/g,
  },
};

/** A command line as the words that a shell would make of it: quotes group, a backslash takes the next as it is, on Windows only a quote. */
export function splitCommand(
  line: string,
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  const { words, parts, escaped } = platform === 'win32' ? syntax.windows : syntax.posix;
  return Array.from(line.matchAll(words), ([word]) =>
    word.replaceAll(parts, (_, one, double, single) =>
      String(one ?? single ?? String(double).replaceAll(escaped, '$1')),
    ),
  );
}
