import { withOurVariables, withUserHome } from './shellVariables';

/** Quoted JSON, whose own quotes are escaped, up to its end or to where it breaks off; what stands last in it, if that is its brace. */
const json = /"\{(?:\\.|[^"\\}]|(\}))*"?/y;
const piece = /"([^"]*)"|'([^']*)'|([^\s"']+)/y;

/** A line as a terminal would take it apart, with our variables for those of a shell; quotes that are not closed stand for themselves. */
export function splitLine(line: string): readonly string[] {
  const text = line.replaceAll(/\\\r?\n/g, ' ');
  const words: string[] = [];
  let word: string | undefined;
  const endWord = () => {
    if (word !== undefined) words.push(word);
    word = undefined;
  };
  /** Whatever begins before that as JSON breaks off there, too: each letter is looked at once. */
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
    // Within single quotes a shell puts in nothing.
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

/** Names and values that stand before and behind the first `between` of each text. */
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
