import { asRecord, isRecord } from '../../../base/json';
import { looksSecret } from '../../../base/secrets/secrets';
import { freeName } from '../../freeName';
import {
  inputIdOf,
  inputReference,
  type ImportedServer,
  type InputEntry,
  type McpJsonServer,
} from '../importedServer';

const longestValue = 300;

/** What a README leaves to its reader: `<your key>`, `YOUR_KEY`, `sk-xxxx`, `/path/to/files`; what stands before it is the first group. */
const placeholder = new RegExp(
  [
    '^((?:[^=:]{2,60}[=:]\\s?)?(?:(?:Bearer|Basic|token) )?)(',
    [
      '<[a-z][^<>]{0,80}>',
      '\\[your [^\\]]{1,80}\\]',
      '\\{?your[-_ ][\\w -]{1,80}\\}?',
      '[\\w-]{0,20}x{4,}',
      '[\\w-]{1,20}(?:\\.{3}|…)',
      '(?:[A-Z]:)?[\\\\/](?:absolute[\\\\/])?path[\\\\/]to[\\\\/].*',
      '[\\\\/]Users[\\\\/](?:your_?name|username)[\\\\/].*',
    ].join('|'),
    ')$',
  ].join(''),
  'is',
);

/** A server with an input, asked for at its start, in place of each value that a README leaves to its reader. */
export function askPlaceholders(found: ImportedServer): ImportedServer {
  const inputs: InputEntry[] = [];
  const ask = (name: string, text: string): string => {
    const [, lead, words] = (text.length <= longestValue && placeholder.exec(text)) || [];
    if (lead === undefined || words === undefined) return text;
    const id = freeName(inputIdOf(found.name, name), (one) =>
      [...inputs, ...(found.inputs ?? [])].some((input) => input.id === one),
    );
    const password = looksSecret(name) || looksSecret(words);
    inputs.push({ id, type: 'promptString', description: `${name}: ${words}`, password });
    return lead + inputReference(id);
  };
  const server = withAnswers(found.server, ask);
  if (inputs.length === 0) return found;
  return { ...found, server, inputs: [...(found.inputs ?? []), ...inputs] };
}

type Ask = (name: string, text: string) => string;

function withAnswers(server: McpJsonServer, ask: Ask): McpJsonServer {
  const { env, headers, args } = server;
  return {
    ...server,
    ...(isRecord(env) && { env: namedAnswers(env, ask) }),
    ...(isRecord(headers) && { headers: namedAnswers(headers, ask) }),
    ...(Array.isArray(args) && { args: argumentAnswers(args, ask) }),
  };
}

function namedAnswers(values: unknown, ask: Ask): McpJsonServer {
  return Object.fromEntries(
    Object.entries(asRecord(values)).map(([name, value]) => [
      name,
      typeof value === 'string' ? ask(name, value) : value,
    ]),
  );
}

function argumentAnswers(args: readonly unknown[], ask: Ask): readonly unknown[] {
  return args.map((arg, index) => {
    if (typeof arg !== 'string') return arg;
    const [before = ''] = [args[index - 1]].filter((one) => typeof one === 'string');
    const [, own, ofOption] =
      /^--?([\w.-]+)=|^--?([\w.-]+)$/.exec(arg.includes('=') ? arg : before) ?? [];
    return ask(own ?? ofOption ?? `argument ${index + 1}`, arg);
  });
}
