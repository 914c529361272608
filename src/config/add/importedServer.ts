import { asRecord, isRecord } from '../../base/json';
import { isCommandLine } from '../../mcp/launch/commandArguments';
import { ownEntry, type TimeUnit } from '../../mcp/launch/ownEntry';
import { parseServerConfig } from '../../mcp/launch/launchKinds';
import { readToolFilter } from '../../mcp/serverConfig';
import { saysOff } from '../mergeLayers';
import type { ConfigPlace } from '../configLayer';
import { copiedKeys } from '../places/knownKeys';
import { splitLine } from './text/commandLine';

/** A server's entry, in the shape of `mcp.json` or as another application writes it. */
export type McpJsonServer = Readonly<Record<string, unknown>>;

/** A server found outside our own configuration. */
export interface ImportedServer {
  readonly name: string;
  readonly server: McpJsonServer;
  /** The inputs that it uses, as its file defines them; servers of one file bring the same objects. */
  readonly inputs?: readonly InputEntry[];
  /** Sets up what the server needs to run, before it is written to a place; returns a function that undoes this. */
  readonly unpack?: (place: ConfigPlace) => Promise<() => Promise<void>>;
}

/** An input as `mcp.json` writes it; only its id is checked. */
export type InputEntry = Readonly<Record<string, unknown>> & { readonly id: string };

/** Returns the reference that stands for the value of an input in a configuration. */
export function inputReference(id: string): string {
  return `\${input:${id}}`;
}

/** The pattern of every {@link inputReference} in a text; the id is the first group. */
export const inputReferences = /\$\{input:((?:(?!\$\{)[^}])*)\}/g;

/** Returns the ids of the inputs that the texts in a value use, each once and in their order. */
export function inputsIn(value: unknown): readonly string[] {
  const ids = (part: unknown): readonly string[] => {
    if (typeof part === 'string')
      return Array.from(part.matchAll(inputReferences), ([, id = '']) => id);
    if (Array.isArray(part)) return part.flatMap(ids);
    return isRecord(part) ? Object.values(part).flatMap(ids) : [];
  };
  return [...new Set(ids(value))];
}

/** Returns the id of the input that stands for a named value of a server. */
export function inputIdOf(server: string, name: string): string {
  return `${server}-${name}`.replaceAll(/[^\w.-]+/g, '-');
}

/** Returns the ids of the inputs that a server brings. */
export function inputIds({ inputs = [] }: ImportedServer): readonly string[] {
  return inputs.map(({ id }) => id);
}

/** Reads the `inputs` of a file. */
export function readInputEntries(inputs: unknown): readonly InputEntry[] {
  return (Array.isArray(inputs) ? inputs : []).flatMap((value: unknown): InputEntry[] => {
    return isInputEntry(value) ? [value] : [];
  });
}

function isInputEntry(value: unknown): value is InputEntry {
  return isRecord(value) && typeof value['id'] === 'string';
}

/** Returns the servers, each with the inputs from its file that it uses. */
export function withInputs(
  servers: readonly ImportedServer[],
  inputs: unknown,
): readonly ImportedServer[] {
  const known = readInputEntries(inputs);
  return servers.map((found) => {
    const ids = new Set(inputsIn(found.server));
    const used = known.filter(({ id }) => ids.has(id));
    return used.length > 0 ? { ...found, inputs: used } : found;
  });
}

/**
 * Reads servers by name from an object, skipping those that cannot be launched; `leaveOut` gets their names, and `unit`
 * is that of times without one.
 */
export function readImportedServers(
  servers: unknown,
  leaveOut: (name: string) => void = () => {},
  unit?: TimeUnit,
): ImportedServer[] {
  return Object.entries(asRecord(servers)).flatMap(([name, value]) => {
    const server = toMcpJson(value, unit);
    if (!server) leaveOut(name);
    return server ? [{ name, server }] : [];
  });
}

/**
 * Converts the known spellings of a server to the shape of `mcp.json`; `undefined` if the value is not a server. `unit`
 * is that of times without one, if the application that wrote it is known.
 */
export function toMcpJson(value: unknown, unit?: TimeUnit): McpJsonServer | undefined {
  const { entry: foreign, unusedTimes } = ownEntry(asRecord(value), unit);
  const { url } = foreign;
  const isAddress = typeof url === 'string' && foreign['type'] !== 'stdio';
  const launch = isAddress ? toHttp(foreign, url) : toStdio(foreign);
  const server = {
    ...launch,
    ...copiedKeys(foreign, isAddress ? 'address' : 'process'),
    // Whoever knows the unit can still write it in ours.
    ...Object.fromEntries(unusedTimes.map(({ key }) => [key, foreign[key]])),
    ...restrictionsOf(foreign),
  };
  return 'config' in parseServerConfig(server) ? server : undefined;
}

/** The restrictions that an application puts on a server; anything that grants it more is not carried over. */
function restrictionsOf(foreign: McpJsonServer): McpJsonServer {
  const filter = readToolFilter({
    tools: foreign['tools'] ?? foreign['includeTools'] ?? foreign['enabled_tools'],
    disabledTools: [foreign['disabledTools'], foreign['disabled_tools']].flat(),
    excludeTools: foreign['excludeTools'],
  });
  return {
    ...(saysOff(foreign) && { disabled: true }),
    ...(filter?.only && { tools: filter.only }),
    ...(filter && filter.never.length > 0 && { disabledTools: filter.never }),
  };
}

function toHttp(foreign: McpJsonServer, url: string): McpJsonServer {
  const headers = {
    ...asRecord(asRecord(foreign['requestOptions'])['headers']),
    ...asRecord(foreign['http_headers']),
    ...asRecord(foreign['headers']),
    ...headersFromEnvironment(foreign),
  };
  return {
    type: foreign['type'] === 'sse' ? 'sse' : 'http',
    url,
    ...(Object.keys(headers).length > 0 && { headers }),
  };
}

/** Codex names environment variables in place of header values. */
function headersFromEnvironment(foreign: McpJsonServer): Record<string, string> {
  const variables = Object.entries(asRecord(foreign['env_http_headers']));
  const bearer = foreign['bearer_token_env_var'];
  return {
    ...Object.fromEntries(
      variables.map(([name, variable]) => [name, `\${env:${String(variable)}}`]),
    ),
    ...(typeof bearer === 'string' && { Authorization: `Bearer \${env:${bearer}}` }),
  };
}

function toStdio(foreign: McpJsonServer): McpJsonServer {
  // Zed used to have an object here.
  const nested = asRecord(foreign['command']);
  const line = commandLineOf(foreign);
  const command = line?.[0] ?? nested['path'] ?? foreign['command'] ?? foreign['cmd'];
  const args = line?.slice(1) ?? nested['args'] ?? foreign['args'];
  const values = nested['env'] ?? foreign['env'] ?? foreign['envs'] ?? foreign['environment'];
  const kept = keptVariables(foreign);
  const env = Object.keys(kept).length > 0 ? { ...asRecord(values), ...kept } : values;
  return {
    type: 'stdio',
    command,
    ...(args !== undefined && args !== null && { args }),
    ...(env !== undefined && env !== null && { env }),
  };
}

/** The words of the whole command line if an application has it, as a list or one string, in place of the program. */
function commandLineOf({ command, args }: McpJsonServer): readonly unknown[] | undefined {
  if (Array.isArray(command)) return command as unknown[];
  const hasArgs = Array.isArray(args) && args.length > 0;
  return typeof command === 'string' && !hasArgs && isCommandLine(command)
    ? splitLine(command)
    : undefined;
}

/** goose lists variables whose values it stores itself, Codex those that it passes on from the environment. */
function keptVariables(foreign: McpJsonServer): Record<string, string> {
  const names = [foreign['env_keys'], foreign['env_vars']].flat();
  return Object.fromEntries(
    names.flatMap((name) => (typeof name === 'string' ? [[name, `\${env:${name}}`]] : [])),
  );
}
