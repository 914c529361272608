import { asRecord } from '../../../base/json';
import { looksSecret } from '../../../base/secrets/secrets';
import { isInherited } from '../../../mcp/launch/inheritedVariables';
import { inheritances } from '../../../mcp/serverConfig';
import { freeName } from '../../freeName';
import {
  inputIdOf,
  inputIds,
  inputReference,
  type ImportedServer,
  type InputEntry,
  type McpJsonServer,
} from '../importedServer';
import { readContainerRun } from './containerRun';
import { withValues } from './serverValues';

const longestValue = 300;

/**
 * A value that a README leaves to its reader: `<your key>`, `YOUR_KEY`, `sk-xxxx`, `/path/to/files`; the text before
 * it is the first group.
 */
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

/** A variable or header whose value a README leaves to its reader: the server may do without it. */
export interface OpenValue {
  readonly found: ImportedServer;
  readonly name: string;
  /** What the README has in its place; empty for a variable that a container gets from its launch. */
  readonly text: string;
}

/** Lists the values of servers that can be left out instead of being asked for; an argument cannot. */
export function openValues(all: readonly ImportedServer[]): readonly OpenValue[] {
  return all.flatMap((found) => {
    const { env, headers } = found.server;
    const named = [env, headers].flatMap((values) => Object.entries(asRecord(values)));
    return [
      ...named.flatMap(([name, text]) =>
        typeof text === 'string' && partsOf(text) ? [{ found, name, text }] : [],
      ),
      ...missingVariables(found.server).map((name) => ({ found, name, text: '' })),
    ];
  });
}

/** Returns the text before a placeholder and the placeholder; `undefined` for a text that has none. */
function partsOf(text: string): readonly [lead: string, words: string] | undefined {
  const [, lead, words] = (text.length <= longestValue && placeholder.exec(text)) || [];
  return lead === undefined || words === undefined ? undefined : [lead, words];
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
    return lead + input(name, `${name}: ${words}`, looksSecret(name) || looksSecret(words));
  };
  const kept = leftOut.size === 0 ? found.server : without(found.server, leftOut);
  const server = withValues(kept, ask);
  const open = missingVariables(server)
    .filter((name) => !leftOut.has(name))
    .map((name) => [name, input(name, name, looksSecret(name))]);
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
