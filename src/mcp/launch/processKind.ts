import { checkDebuggable, debugTypesOf } from './debuggees';
import { UserError } from '../../base/errors';
import { type JsonRecord, asRecord, isRecord } from '../../base/json';
import { maskedArguments } from './commandArguments';
import { type Translate, inEnglish } from '../../base/translate';
import {
  type DebugType,
  type SandboxRules,
  type StdioServerConfig,
  debugTypes,
  inheritances,
} from '../serverConfig';
import type { LaunchKind, Parsed } from './launchKind';

const lists = {
  filesystem: ['allowWrite', 'denyWrite', 'denyRead'],
  network: ['allowedDomains', 'deniedDomains'],
} as const;

/** Reads `sandboxEnabled` and `sandbox` of an entry; `undefined` if they do not ask to confine the process. */
export function readSandbox({ sandboxEnabled, sandbox }: JsonRecord): SandboxRules | undefined {
  const isWanted = sandboxEnabled === undefined ? isRecord(sandbox) : sandboxEnabled !== false;
  if (!isWanted) return undefined;
  const unknown: string[] = sandbox === undefined || isRecord(sandbox) ? [] : ['sandbox'];
  const rules = asRecord(sandbox);
  const read: Record<string, readonly string[]> = {};
  for (const [part, names] of Object.entries(lists)) {
    const value = rules[part];
    if (value !== undefined && !isRecord(value)) unknown.push(part);
    for (const name of names) {
      const list = asRecord(value)[name];
      const isList = Array.isArray(list) && list.every((one) => typeof one === 'string');
      read[name] = isList ? list : [];
      if (list !== undefined && !isList) unknown.push(`${part}.${name}`);
    }
    for (const key of Object.keys(asRecord(value)))
      if (!names.some((name) => name === key)) unknown.push(`${part}.${key}`);
  }
  for (const key of Object.keys(rules)) if (!Object.hasOwn(lists, key)) unknown.push(key);
  const listOf = (name: string) => read[name] ?? [];
  return {
    allowWrite: listOf('allowWrite'),
    denyWrite: listOf('denyWrite'),
    denyRead: listOf('denyRead'),
    allowedDomains: listOf('allowedDomains'),
    deniedDomains: listOf('deniedDomains'),
    unknown,
  };
}

/** Returns an entry with the `sandbox` of its file if it enables one but does not have its own. */
export function withFileSandbox(entry: unknown, ofFile: unknown): unknown {
  const { sandboxEnabled, sandbox } = asRecord(entry);
  const isMissing = isRecord(ofFile) && sandbox === undefined;
  const isWanted = sandboxEnabled !== undefined && sandboxEnabled !== false;
  return isMissing && isWanted ? { ...asRecord(entry), sandbox: ofFile } : entry;
}

/** Reads from an entry, as VS Code writes it, which debugger to attach; `undefined` if none, or an unknown one. */
export function readDebugType(entry: unknown): DebugType | undefined {
  const { debug } = asRecord(asRecord(entry)['dev']);
  const { type } = asRecord(debug);
  return debugTypes.find((one) => one === type);
}

/** The kind of launch for a server that runs as one of our processes and communicates over its standard streams. */
export const processKind: LaunchKind<StdioServerConfig> = {
  isProcess: true,
  line: ({ command, args }) => [command, ...args].map(quote),
  target: ({ command }) => command,
  show(config) {
    const { type, command, args, env, cwd, envFile, debug } = config;
    return {
      type,
      command,
      args: maskedArguments(args, command),
      env: Object.keys(env).toSorted(),
      ...(cwd !== undefined && { cwd }),
      ...(envFile !== undefined && { envFile }),
      ...(debug && { debug }),
    };
  },
  signIn: () => 'none',
  confinement({ sandbox, confinement }) {
    if (!sandbox) return undefined;
    if (!confinement) return 'none';
    return confinement.letsCreate || confinement.unkept.length > 0 ? 'part' : 'whole';
  },
  debugging: (config) => ({
    isOn: config.debug !== undefined,
    fitting: debugTypesOf(config),
    check: (t) => checkDebuggable(config, t),
  }),
  handOver: async (config, programs, t) => (programs ? programs.handOver(config, t) : config),
  async open(config, context, openers) {
    const { t = inEnglish } = context;
    if (!openers.process) throw new UserError(t('This window cannot start processes.'));
    return openers.process(config, context);
  },
  diagnose: async (config, { programs, t }) => (programs ? programs.check(config, t) : []),
};

/** Reads the configuration of a process. */
export function readProcessConfig(
  value: Readonly<Record<string, unknown>>,
  t: Translate,
): Parsed<StdioServerConfig> {
  const { command, args = [], env = {}, cwd, envFile, inheritEnvironment } = value;
  if (command === undefined)
    return { problem: t('"command" is missing: a program needs one to start.') };
  if (typeof command !== 'string' || command.trim() === '')
    return { problem: t('"command" must name the program to start.') };
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
    return { problem: t('"args" must be a list of strings.') };
  const variables = readEnv(env);
  if (!variables) return { problem: t('"env" must map names to strings, numbers or null.') };
  if (cwd !== undefined && typeof cwd !== 'string') return { problem: t('"cwd" must be a path.') };
  if (envFile !== undefined && typeof envFile !== 'string')
    return { problem: t('"envFile" must be a path.') };
  const inheritance = inheritances.find((one) => one === inheritEnvironment);
  if (inheritEnvironment !== undefined && !inheritance)
    return { problem: t('"inheritEnvironment" must be "safe", "all" or "none".') };
  const debug = readDebugType(value);
  const sandbox = readSandbox(value);
  return {
    config: {
      type: 'stdio',
      command,
      args,
      env: variables,
      ...(cwd !== undefined && { cwd }),
      ...(envFile !== undefined && { envFile }),
      ...(inheritance && { inheritEnvironment: inheritance }),
      ...(debug && { debug }),
      ...(sandbox && { sandbox }),
    },
  };
}

function readEnv(env: unknown): StdioServerConfig['env'] | undefined {
  if (!isRecord(env)) return undefined;
  const variables: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== null && typeof value !== 'string' && typeof value !== 'number') return undefined;
    variables[name] = value === null ? null : String(value);
  }
  return variables;
}

/** Returns an argument for people to read: no shell is given it. */
function quote(argument: string): string {
  const isPlain = /^[\w@%+=:,./\\-]+$/.test(argument);
  return isPlain ? argument : `'${argument.replaceAll("'", String.raw`'\''`)}'`;
}
