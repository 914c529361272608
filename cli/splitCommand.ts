const syntax = {
  posix: {
    words: /(?:[^\s"'\\]|\\.|"(?:[^"\\]|\\.)*"|'[^']*')+/g,
    parts: /\\(.)|"((?:[^"\\]|\\.)*)"|'([^']*)'/g,
    escaped: /\\(.)/g,
  },
  // Windows paths are full of backslashes.
  windows: {
    words: /(?:[^\s"'\\]|\\"|\\|"(?:\\"|[^"])*"|'[^']*')+/g,
    parts: /\\(")|"((?:\\"|[^"])*)"|'([^']*)'/g,
    escaped: /\\(")/g,
  },
};

/**
 * Splits a command line into words as a shell would: quotes group words, and a backslash escapes the next
 * character, but on Windows only a double quote.
 */
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
