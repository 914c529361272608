import { UserError } from '../src/base/errors';
import type { JsonRecord } from '../src/base/json';
import { type Mask, maskedCopy } from '../src/base/secretMask';
import { terminalJson, terminalText } from '../src/base/text/text';

/** Says something on stderr, whoever wrote parts of it: nothing is hidden, acts on a terminal or passes for a line of ours. */
export function tell(text: string): void {
  process.stderr.write(`${terminalText(text)}\n`);
}

/** True if somebody may read what is said: it goes to a terminal, and not to that of CI. */
export function isWatched(): boolean {
  return process.stderr.isTTY && !process.env['CI'];
}

/** Says a value on stderr, as {@link jsonOf} writes it: none of its lines passes for another. */
export function tellJson(value: JsonRecord, mask: Mask): void {
  process.stderr.write(`${jsonOf(value, mask)}\n`);
}

/** Returns a value as JSON for a terminal or another program, without what servers were given; throws a `UserError` if it is nested too deep. */
export function jsonOf(value: JsonRecord, mask: Mask): string {
  try {
    return terminalJson(JSON.stringify(maskedCopy(value, mask), undefined, 2));
  } catch (cause) {
    throw new UserError('The result is nested too deep to be written.', { cause });
  }
}

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
