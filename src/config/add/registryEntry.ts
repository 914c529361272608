import { type JsonRecord, asRecord, isRecord, recordsOf } from '../../base/json';
import { plainLabel } from '../../base/text/text';
import type { Translate } from '../../base/translate';
import {
  type ImportedServer,
  type InputEntry,
  inputIdOf,
  inputReference,
  toMcpJson,
} from './importedServer';

/** Returns a field of a registry entry, which older entries spell with underscores. */
function field(record: JsonRecord, name: string): unknown {
  return record[name] ?? record[name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** The values that a registry entry describes; those that the user must provide become inputs. */
class RegistryInputs {
  private readonly name: string;
  private readonly inputs = new Map<string, InputEntry>();

  constructor(name: string) {
    this.name = name;
  }

  /** Returns the value of an argument, variable or header; `undefined` if it is optional and has none. */
  value(key: string, input: JsonRecord): string | undefined {
    const { value, default: initial } = input;
    if (typeof value === 'string') return this.fill(value, asRecord(input['variables']));
    if (field(input, 'isRequired') === true) return this.ask(key, input);
    return typeof initial === 'string' ? initial : undefined;
  }

  /** Fills in the variables that a text contains as `{name}`. */
  fill(text: string, variables: JsonRecord): string {
    // With a dollar sign before it, it is a variable of ours.
    return text.replaceAll(/(?<!\$)\{([^{}]+)\}/g, (mark: string, key: string) => {
      const input = Object.hasOwn(variables, key) ? variables[key] : undefined;
      if (!isRecord(input)) return mark;
      return this.value(key, input) ?? this.ask(key, input);
    });
  }

  /** Returns variables or headers by name. */
  pairs(list: unknown): Readonly<Record<string, string>> {
    const known = recordsOf(list).flatMap((one): [string, string][] => {
      const { name } = one;
      const value = typeof name === 'string' ? this.value(name, one) : undefined;
      return typeof name === 'string' && value !== undefined ? [[name, value]] : [];
    });
    return Object.fromEntries(known);
  }

  /** Returns the server with the inputs collected so far. */
  withServer(server: JsonRecord): ImportedServer {
    const inputs = Array.from(this.inputs.values());
    return { name: this.name, server, ...(inputs.length > 0 && { inputs }) };
  }

  private ask(key: string, input: JsonRecord): string {
    const id = inputIdOf(this.name, key);
    const { description, default: initial, choices } = input;
    const options = Array.isArray(choices)
      ? choices.filter((choice) => typeof choice === 'string')
      : [];
    this.inputs.set(id, {
      id,
      description: typeof description === 'string' ? description : key,
      ...(typeof initial === 'string' && { default: initial }),
      ...(options.length > 0
        ? { type: 'pickString', options }
        : { type: 'promptString', password: field(input, 'isSecret') === true }),
    });
    return inputReference(id);
  }
}

/** The parts of a package's command line. */
interface Parts {
  /** The package's name and version, as its registry writes them. */
  readonly target: string;
  readonly runtime: readonly string[];
  readonly rest: readonly string[];
  readonly variables: readonly string[];
}

interface Runtime {
  readonly command: string;
  /** The separator between a name and a version. */
  readonly at: string;
  /** The host that packages come from by default. */
  readonly host: string;
  args(parts: Parts): readonly string[];
}

const runtimes: Readonly<Record<string, Runtime>> = {
  npm: {
    command: 'npx',
    at: '@',
    host: 'registry.npmjs.org',
    args: ({ target, runtime, rest }) => [
      ...(runtime.includes('-y') ? [] : ['-y']),
      ...runtime,
      target,
      ...rest,
    ],
  },
  pypi: {
    command: 'uvx',
    at: '==',
    host: 'pypi.org',
    args: ({ target, runtime, rest }) => [...runtime, target, ...rest],
  },
  nuget: {
    command: 'dnx',
    at: '@',
    host: 'api.nuget.org',
    args: ({ target, runtime, rest }) => [
      ...runtime,
      target,
      ...(runtime.includes('--yes') ? [] : ['--yes']),
      ...(rest.length > 0 ? ['--', ...rest] : []),
    ],
  },
  oci: {
    command: 'docker',
    at: ':',
    host: 'docker.io',
    args: ({ target, runtime, rest, variables }) => [
      'run',
      '-i',
      '--rm',
      ...variables.flatMap((name) => ['-e', name]),
      ...runtime.filter((arg) => !['run', '-i', '--rm'].includes(arg)),
      target,
      ...rest,
    ],
  },
};

/** Returns the server that a registry's package contains; `undefined` if it cannot be started from here. */
function runPackage(name: string, one: JsonRecord): ImportedServer | undefined {
  const type = String(field(one, 'registryType'));
  const runtime = Object.hasOwn(runtimes, type) ? runtimes[type] : undefined;
  const transport = asRecord(one['transport'])['type'] ?? 'stdio';
  const target = runtime && transport === 'stdio' ? targetOf(type, runtime, one) : undefined;
  if (!runtime || target === undefined) return undefined;
  const inputs = new RegistryInputs(name);
  const env = inputs.pairs(field(one, 'environmentVariables'));
  const variables = Object.keys(env);
  const args = runtime.args({
    target,
    variables,
    runtime: argumentsOf(field(one, 'runtimeArguments'), inputs),
    rest: argumentsOf(field(one, 'packageArguments'), inputs),
  });
  const { command } = runtime;
  return inputs.withServer({
    type: 'stdio',
    command,
    args,
    ...(variables.length > 0 && { env }),
  });
}

/**
 * The package to run; `undefined` if the runtime would take it for an option, or from a registry other than the
 * entry's.
 */
function targetOf(type: string, { at, host }: Runtime, one: JsonRecord): string | undefined {
  const { identifier, version } = one;
  if (typeof identifier !== 'string' || !/^[\w@][^\s\\]*$/.test(identifier)) return undefined;
  const base = field(one, 'registryBaseUrl');
  const other = typeof base === 'string' ? hostOf(base) : host;
  // An image's name says which registry it comes from.
  const prefix = type === 'oci' && other !== host && !identifier.startsWith(`${other}/`);
  if (other !== host && type !== 'oci') return undefined;
  const full = prefix ? `${other}/${identifier}` : identifier;
  const image = identifier.slice(identifier.lastIndexOf('/') + 1);
  const isWhole = type === 'oci' && /[:@]/.test(image);
  if (isWhole || version === undefined || version === '') return full;
  return typeof version === 'string' && /^\w[\w.+-]*$/.test(version)
    ? full + at + version
    : undefined;
}

function hostOf(url: string): string | undefined {
  return URL.canParse(url) ? new URL(url).host : undefined;
}

function argumentsOf(list: unknown, inputs: RegistryInputs): readonly string[] {
  return recordsOf(list).flatMap((one) => {
    const { name } = one;
    const isNamed = typeof name === 'string' && one['type'] === 'named';
    const hint = field(one, 'valueHint');
    const key = typeof name === 'string' ? name : typeof hint === 'string' ? hint : 'argument';
    const value = inputs.value(key.replace(/^-+/, ''), one);
    if (!isNamed) return value === undefined ? [] : [value];
    if (value !== undefined) return [name, value];
    // Without any of these fields, an option needs no value; the others need one and are optional.
    const wants = ['format', 'valueHint', 'choices', 'placeholder', 'isSecret'];
    return wants.some((part) => field(one, part) !== undefined) ? [] : [name];
  });
}

/** Reads a `server.json` of the MCP registry, or the registry's answer about one; `undefined` if it is neither. */
export function readRegistryEntry(
  value: JsonRecord,
  t: Translate,
): readonly ImportedServer[] | { readonly problem: string } | undefined {
  const entry = isRecord(value['server']) ? value['server'] : value;
  const packages = recordsOf(entry['packages']);
  const remotes = recordsOf(entry['remotes']);
  const schema = entry['$schema'];
  const isEntry =
    packages.some((one) => field(one, 'registryType') !== undefined) ||
    remotes.some((one) => typeof one['url'] === 'string') ||
    (typeof schema === 'string' && schema.endsWith('/server.schema.json'));
  if (!isEntry) return undefined;
  const whole = textOf(entry['name']);
  const shown = plainLabel(whole, 60);
  const name = whole.split('/').at(-1) || 'server';
  if (packages.length + remotes.length === 0)
    return {
      problem: t('"{0}" lists no packages and no remotes, so there is nothing to start.', shown),
    };
  const found = [
    ...packages.map((one) => runPackage(name, one)),
    ...remotes.map((one) => reachRemote(name, one)),
  ].filter((one) => one !== undefined);
  if (found.length > 0) return found;
  const kinds = packages.map((one) => textOf(field(one, 'registryType'))).join(', ');
  return {
    problem: t('No package of "{0}" can be started here: {1}.', shown, plainLabel(kinds, 60)),
  };
}

function reachRemote(name: string, remote: JsonRecord): ImportedServer | undefined {
  const { url } = remote;
  if (typeof url !== 'string') return undefined;
  const inputs = new RegistryInputs(name);
  const type = remote['type'] ?? field(remote, 'transportType');
  const server = toMcpJson({
    type,
    url: inputs.fill(url, asRecord(remote['variables'])),
    headers: inputs.pairs(remote['headers']),
  });
  return server && inputs.withServer(server);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '?';
}
