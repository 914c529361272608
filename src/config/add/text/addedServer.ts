import { parseJson } from '../../../base/json';
import { splitPairs } from './commandLine';

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

/** A server that another application's command adds. */
export interface AddedServer {
  /** Absent if the name is in the value. */
  readonly name?: string;
  /** The server, in one of the spellings that files use. */
  readonly value: unknown;
}

/** The beginning of a command that adds a server to another application. */
export const addStart = /^(?:(?:claude|codex|gemini)\s+mcp\s+add|code(?:-insiders)?\s+--add-mcp)/;

/** Options that take no value. */
const flags: readonly string[] = ['trust'];

/** The options that Gemini CLI takes anywhere; a short option after a program may as well be the program's own. */
const ofGemini =
  /^(?:--(?:scope|transport|type|env|header|timeout|trust|description|include-tools|exclude-tools)(?=[ =])|-s (?:user|project)$)/;

/**
 * Reads `claude mcp add`, `claude mcp add-json`, `codex mcp add`, `gemini mcp add` or `code --add-mcp`; `undefined`
 * for other commands and for incomplete ones.
 */
export function readAddCommand(words: readonly string[]): AddedServer | undefined {
  const [command = '', first, second] = words;
  if (command.startsWith('code') && first === '--add-mcp')
    return second === undefined ? undefined : { value: parseJson(second) };
  if (!addStart.test(`${command} ${first} ${second}`)) return undefined;
  const isOwn = (option: string) => command === 'gemini' && ofGemini.test(option);
  const { plain, named } = readOptions(words.slice(3), isOwn);
  const [name, program, ...args] = plain;
  const target = named('url').at(-1) ?? program;
  if (name === undefined || target === undefined) return undefined;
  if (second === 'add-json') return { value: { mcpServers: { [name]: parseJson(target) } } };
  if (second !== 'add') return undefined;
  const transport = [...named('transport'), ...named('type'), ...named('t')].at(-1);
  const env = splitPairs([...named('env'), ...named('e')], '=');
  const headers = splitPairs([...named('header'), ...named('H')], ':');
  const clientId = named('oauth-client-id').at(-1);
  const launch =
    transport === 'http' || transport === 'sse' || (!transport && isAddress(target))
      ? {
          type: transport ?? 'http',
          url: target,
          headers,
          bearer_token_env_var: named('bearer-token-env-var').at(-1),
          ...(clientId !== undefined && { oauth: { clientId } }),
        }
      : {
          command: target,
          ...(args.length > 0 && { args }),
          ...(Object.keys(env).length > 0 && { env }),
        };
  const tools = listOf(named('include-tools'));
  const timeout = Number(named('timeout').at(-1));
  return {
    name,
    value: {
      ...launch,
      ...(tools.length > 0 && { includeTools: tools }),
      excludeTools: listOf(named('exclude-tools')),
      // The one application whose command has this option counts in milliseconds.
      ...(timeout > 0 && { timeout_ms: timeout }),
    },
  };
}

/**
 * Separates the words that are not options from the values of options; nothing after `--` is an option. An option
 * after a program belongs to the program, unless it `isOwn` together with the word after it.
 */
function readOptions(words: readonly string[], isOwn: (option: string) => boolean) {
  const plain: string[] = [];
  const values: (readonly [string, string])[] = [];
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? '';
    const next = words[at + 1] ?? '';
    const [, name, value] = /^--?([A-Za-z][\w-]*)(?:=(.*))?$/s.exec(word) ?? [];
    if (word === '--') {
      plain.push(...words.slice(at + 1));
      break;
    }
    // A URL, unlike a program, has no options of its own.
    const isTaken = plain.length >= 2 && !isAddress(plain[1]) && !isOwn(`${word} ${next}`);
    if (name === undefined || isTaken) plain.push(word);
    else if (value !== undefined) values.push([name, value]);
    else if (!flags.includes(name)) {
      values.push([name, next]);
      at += 1;
      // One option may be followed by several values, each with its own name.
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

/** The items of comma-separated texts. */
function listOf(texts: readonly string[]): readonly string[] {
  return texts.flatMap((text) => text.split(',')).map((one) => one.trim());
}
