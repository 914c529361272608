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

/** A server that the command of another application adds. */
export interface AddedServer {
  /** Absent where it is in the value. */
  readonly name?: string;
  /** In one of the spellings that files have. */
  readonly value: unknown;
}

/** True for the beginning of a command that adds a server to another application. */
export const addStart = /^(?:claude\s+mcp\s+add|code(?:-insiders)?\s+--add-mcp)/;

/** Reads `claude mcp add`, `claude mcp add-json` or `code --add-mcp`; undefined for other commands, and those that lack a part. */
export function readAddCommand(words: readonly string[]): AddedServer | undefined {
  const [command, first, second] = words;
  if (command?.startsWith('code') && first === '--add-mcp')
    return second === undefined ? undefined : { value: parse(second) };
  if (command !== 'claude' || first !== 'mcp') return undefined;
  const { plain, named } = readOptions(words.slice(3));
  const [name, target, ...args] = plain;
  if (name === undefined || target === undefined) return undefined;
  if (second === 'add-json') return { value: { mcpServers: { [name]: parse(target) } } };
  if (second !== 'add') return undefined;
  const transport = named('transport').at(-1) ?? named('t').at(-1);
  const env = splitPairs([...named('env'), ...named('e')], '=');
  const headers = splitPairs([...named('header'), ...named('H')], ':');
  return transport === 'http' || transport === 'sse' || (!transport && isAddress(target))
    ? { name, value: { type: transport ?? 'http', url: target, headers } }
    : {
        name,
        value: {
          command: target,
          ...(args.length > 0 && { args }),
          ...(Object.keys(env).length > 0 && { env }),
        },
      };
}

/** The words that are no options, and the values of an option; what follows `--` is no option. */
function readOptions(words: readonly string[]) {
  const plain: string[] = [];
  const values: (readonly [string, string])[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const [, name, value] = /^--?([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (word === '--') {
      plain.push(...words.slice(at + 1));
      break;
    }
    // What follows a program belongs to it; an address has nothing of its own.
    const isTaken = plain.length >= 2 && !isAddress(plain[1]);
    if (name === undefined || isTaken) plain.push(word);
    else if (value !== undefined) values.push([name, value]);
    else {
      values.push([name, words[at + 1] ?? '']);
      at += 1;
      // Several values may follow one option, each with its name.
      while (isSeveral(name) && /^\w+=/.test(words[at + 1] ?? '')) {
        at += 1;
        values.push([name, words[at] ?? '']);
      }
    }
  }
  return {
    plain,
    named: (name: string) => values.flatMap(([key, value]) => (key === name ? [value] : [])),
  };
}

function isAddress(word: string | undefined): boolean {
  return /^https?:\/\//.test(word ?? '');
}

function isSeveral(option: string): boolean {
  return option === 'e' || option === 'env';
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

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
