import { asRecord, recordsOf, type JsonRecord } from '../../base/json';
import type { ImportedServer } from './importedServer';
import { field, RegistryInputs } from './registryInputs';

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
export function runPackage(name: string, one: JsonRecord): ImportedServer | undefined {
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
  const isWhole = type === 'oci' && /[:@][^/]*$/.test(identifier);
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
