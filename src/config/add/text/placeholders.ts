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

/** Does {@link askPlaceholders} for servers that are added together; none gets an input that another has or that is taken. */
export function askAllPlaceholders(
  found: readonly ImportedServer[],
  taken: Iterable<string>,
): readonly ImportedServer[] {
  const ids = new Set([...taken, ...found.flatMap(inputIds)]);
  return found.map((one) => {
    const asked = askPlaceholders(one, ids);
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
    const [, lead, words] = (text.length <= longestValue && placeholder.exec(text)) || [];
    if (lead === undefined || words === undefined) return text;
    return lead + input(name, `${name}: ${words}`, looksSecret(name) || looksSecret(words));
  };
  const server = withValues(found.server, ask);
  const open = missingVariables(server).map((name) => [name, input(name, name, looksSecret(name))]);
  if (inputs.length === 0) return found;
  const env = { ...asRecord(server['env']), ...Object.fromEntries(open) };
  return {
    ...found,
    server: { ...server, ...(open.length > 0 && { env }) },
    inputs: [...(found.inputs ?? []), ...inputs],
  };
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
