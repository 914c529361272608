import { asRecord } from '../../../base/json';
import { looksSecret } from '../../../base/secrets';
import { type Replace, withArguments } from '../../../mcp/launch/commandArguments';
import { isInherited } from '../../../mcp/launch/inheritedVariables';
import { inheritances } from '../../../mcp/serverConfig';
import { freeName } from '../../configLayer';
import {
  type ImportedServer,
  type InputEntry,
  type McpJsonServer,
  inputIdOf,
  inputIds,
  inputReference,
} from '../importedServer';

/** The parts of a command that launches a container, up to what the container itself gets. */
interface ContainerRun {
  readonly image: string | undefined;
  /** The variables without a value, which the container gets from the process that launches it. */
  readonly passedOn: readonly string[];
}

const launcher = /^(?:.*[\\/])?(?:docker|podman)(?:\.exe)?$/i;

/** Options that take no value; every other one includes its value or takes the next word. */
const flags =
  /^--(?:detach|disable-content-trust|help|init|interactive|no-healthcheck|no-hosts|oom-kill-disable|privileged|publish-all|quiet|read-only|replace|rm|rmi|sig-proxy|tls-verify|tty)$/;
/** Short options, which can be combined if all but the last take no value. */
const short = /^-[Pdiqt]*(?:([A-Za-z])=?(.*))?$/s;

/** Reads `docker run` or `podman run`; `undefined` if the command does not launch a container. */
export function readContainerRun({ command, args }: McpJsonServer): ContainerRun | undefined {
  if (typeof command !== 'string' || !launcher.test(command) || !Array.isArray(args))
    return undefined;
  const all = args.map(String);
  const global = readOptions(all);
  const [verb, ...rest] = global.rest[0] === 'container' ? global.rest.slice(1) : global.rest;
  if (verb !== 'run') return undefined;
  const run = readOptions(rest);
  const passedOn = run.options.flatMap(([name, value]) =>
    /^-(?:e|-env)$/.test(name) && /^[A-Za-z_]\w*$/.test(value) ? [value] : [],
  );
  return { image: run.rest[0], passedOn: [...new Set(passedOn)] };
}

/** The options with their values, and the words from the first one that is not an option. */
function readOptions(words: readonly string[]) {
  const options: (readonly [name: string, value: string])[] = [];
  let at = 0;
  for (; words[at]?.startsWith('-'); at += 1) {
    const word = words[at] ?? '';
    const [, letter, attached = ''] = (!word.startsWith('--') && short.exec(word)) || [];
    const [, long, assigned] = /^(--[^=]+)(?:=(.*))?$/s.exec(word) ?? [];
    const name = letter === undefined ? long : `-${letter}`;
    if (name === undefined || flags.test(name)) continue;
    const own = letter === undefined ? assigned : attached || undefined;
    options.push([name, own ?? words[at + 1] ?? '']);
    if (own === undefined) at += 1;
  }
  return { options, rest: words.slice(at) };
}

/** Returns a server with the values of its variables, headers and arguments replaced. */
export function withValues(server: McpJsonServer, replace: Replace): McpJsonServer {
  const { env, headers, args, command } = server;
  return {
    ...server,
    ...(env !== undefined && { env: withNamed(env, replace) }),
    ...(headers !== undefined && { headers: withNamed(headers, replace) }),
    ...(Array.isArray(args) && { args: withArguments(args, replace, command) }),
  };
}

/** Returns named values with the strings among them replaced. */
export function withNamed(values: unknown, replace: Replace): McpJsonServer {
  return Object.fromEntries(
    Object.entries(asRecord(values)).map(([name, value]) => [
      name,
      typeof value === 'string' ? replace(name, value) : value,
    ]),
  );
}

const longestValue = 300;

/**
 * A value that a README leaves to its reader: `<your key>`, `YOUR_KEY`, `你的密钥`, `sk-xxxx`, `/path/to/files`; the text before
 * it is the first group.
 */
const placeholder = new RegExp(
  [
    '^((?:[^=:]{2,60}[=:]\\s?)?(?:(?:Bearer|Basic|token) )?)(',
    [
      '<\\p{L}[^<>]{0,80}>',
      '(?:你的|您的)[^\\s<>]{1,80}',
      '\\[your [^\\]]{1,80}\\]',
      '\\{?your[-_ ][\\w -]{1,80}\\}?',
      '[\\w-]{0,20}x{4,}',
      '[\\w-]{1,20}(?:\\.{3}|…)',
      '(?:[A-Z]:)?[\\\\/](?:absolute[\\\\/])?path[\\\\/]to[\\\\/].*',
      '[\\\\/]Users[\\\\/](?:your_?name|username)[\\\\/].*',
    ].join('|'),
    ')$',
  ].join(''),
  'isu',
);

/** A variable or header whose value a README leaves to its reader: the server may do without it. */
export interface OpenValue {
  readonly found: ImportedServer;
  readonly name: string;
  /** What the README says of it beyond its name; often nothing. */
  readonly text: string;
}

/** Lists the values of servers that can be left out instead of being asked for; an argument cannot. */
export function openValues(all: readonly ImportedServer[]): readonly OpenValue[] {
  return all.flatMap((found) => {
    const { env, headers } = found.server;
    const named = [env, headers].flatMap((values) => Object.entries(asRecord(values)));
    return [
      ...named.flatMap(([name, text]) => {
        const parts = typeof text === 'string' ? partsOf(text) : undefined;
        return parts ? [{ found, name, text: hintOf(name, parts[1]) }] : [];
      }),
      ...missingVariables(found.server).map((name) => ({ found, name, text: '' })),
    ];
  });
}

/** Returns the text before a placeholder and the placeholder; `undefined` for a text that has none. */
function partsOf(text: string): readonly [lead: string, words: string] | undefined {
  const [, lead, words] = (text.length <= longestValue && placeholder.exec(text)) || [];
  return lead === undefined || words === undefined ? undefined : [lead, words];
}

const fillers = /^(?:your|my|the|a|an|here|insert|enter|x{2,})$/;

/** Returns what a placeholder says beyond the name of its value: `<your key>` says nothing of an `API_KEY`. */
function hintOf(name: string, placeholderWords: string): string {
  const wordsOf = (text: string) => text.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const named = wordsOf(name).join('');
  const said = wordsOf(placeholderWords).filter((word) => !fillers.test(word));
  return said.every((word) => named.includes(word)) ? '' : placeholderWords;
}

/**
 * Does {@link askPlaceholders} for servers that are added together, without what is `leftOut`; none gets an input that
 * another has or that is taken.
 */
export function askAllPlaceholders(
  found: readonly ImportedServer[],
  taken: Iterable<string>,
  leftOut: readonly OpenValue[] = [],
): readonly ImportedServer[] {
  const ids = new Set([...taken, ...found.flatMap(inputIds)]);
  return found.map((one) => {
    const names = leftOut.filter((value) => value.found === one).map(({ name }) => name);
    const asked = askPlaceholders(one, ids, new Set(names));
    for (const id of inputIds(asked)) ids.add(id);
    return asked;
  });
}

/**
 * Returns a server with an input, asked for at its start, for each value that a README leaves to its reader, and for
 * each variable that its container gets from the process that launches it.
 */
export function askPlaceholders(
  found: ImportedServer,
  taken: ReadonlySet<string> = new Set(),
  leftOut: ReadonlySet<string> = new Set(),
): ImportedServer {
  const inputs: InputEntry[] = [];
  const input = (name: string, description: string, password: boolean): string => {
    const id = freeName(
      inputIdOf(found.name, name),
      (one) =>
        taken.has(one) || [...inputs, ...(found.inputs ?? [])].some((other) => other.id === one),
    );
    inputs.push({ id, type: 'promptString', description, password });
    return inputReference(id);
  };
  const ask = (name: string, text: string): string => {
    const parts = partsOf(text);
    if (!parts) return text;
    const [lead, words] = parts;
    const hint = hintOf(name, words);
    const description = hint === '' ? name : `${name}: ${hint}`;
    return lead + input(name, description, looksSecret(name) || looksSecret(words));
  };
  const kept = leftOut.size === 0 ? found.server : without(found.server, leftOut);
  const server = withValues(kept, ask);
  const open = missingVariables(server)
    .filter((name) => !leftOut.has(name))
    .map((name) => [name, input(name, name, looksSecret(name))] as const);
  if (inputs.length === 0) return kept === found.server ? found : { ...found, server };
  const env = { ...asRecord(server['env']), ...Object.fromEntries(open) };
  return {
    ...found,
    server: { ...server, ...(open.length > 0 && { env }) },
    inputs: [...(found.inputs ?? []), ...inputs],
  };
}

/** Returns a server without the variables and headers of these names, and without what is empty then. */
function without(server: McpJsonServer, names: ReadonlySet<string>): McpJsonServer {
  return Object.fromEntries(
    Object.entries(server).flatMap(([key, value]) => {
      if (key !== 'env' && key !== 'headers') return [[key, value]];
      const kept = Object.entries(asRecord(value)).filter(([name]) => !names.has(name));
      return kept.length === 0 ? [] : [[key, Object.fromEntries(kept)]];
    }),
  );
}

/** The variables that a container should get but that have no value anywhere. */
function missingVariables(server: McpJsonServer): readonly string[] {
  const { env, envFile, inheritEnvironment = 'safe' } = server;
  // The variables in the file are known only once it is read.
  if (envFile !== undefined) return [];
  const inheritance = inheritances.find((one) => one === inheritEnvironment) ?? 'safe';
  const passedOn = readContainerRun(server)?.passedOn ?? [];
  return passedOn.filter(
    (name) => !Object.hasOwn(asRecord(env), name) && !isInherited(name.toUpperCase(), inheritance),
  );
}
