import { withOurVariables, withUserHome } from './shellVariables';

/**
 * Quoted JSON with escaped quotes, up to its end or to where it breaks off; the group is its last character if that is
 * a closing brace.
 */
const json = /"\{(?:\\.|[^"\\}]|(\}))*"?/y;
const piece = /"([^"]*)"|'([^']*)'|([^\s"']+)/y;

/**
 * Splits a line into words as a shell does, with our variables in place of the shell's; unclosed quotes are literal.
 */
export function splitLine(line: string): readonly string[] {
  const text = line.replaceAll(/\\\r?\n/g, ' ');
  const words: string[] = [];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  /** Any JSON that begins before this index breaks off there as well, so that each character is scanned only once. */
  let brokenAt = 0;
  for (let at = 0; at < text.length;) {
    const [found = '', brace] = (at >= brokenAt && matchAt(json, text, at)) || [];
    if (brace !== undefined && found.endsWith('"')) {
      word = (word ?? '') + found.slice(1, -1).replaceAll(/\\(.)/g, '$1');
      at += found.length;
      continue;
    }
    brokenAt = Math.max(brokenAt, at + found.replace(/"$/, '').length);
    const [all = '', double, single, plain = ''] = matchAt(piece, text, at) ?? [];
    if (all === '') {
      endWord();
      if (/["']/.test(text.charAt(at))) words.push(text.charAt(at));
      at += 1;
      continue;
    }
    // A shell expands nothing within single quotes.
    const open = double ?? (word === undefined ? withUserHome(plain) : plain);
    word = (word ?? '') + (single ?? withOurVariables(open));
    at += all.length;
  }
  endWord();
  return words;
}

function matchAt(sticky: RegExp, text: string, at: number): RegExpExecArray | null {
  sticky.lastIndex = at;
  return sticky.exec(text);
}

/** Splits each text at its first `between` into a name and a value, skipping texts without a name or `between`. */
export function splitPairs(
  texts: readonly string[],
  between: string,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    texts.flatMap((text) => {
      const at = text.indexOf(between);
      return at < 1 ? [] : [[text.slice(0, at).trim(), text.slice(at + 1).trim()]];
    }),
  );
}
