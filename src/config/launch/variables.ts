import { UserError } from '../../base/errors';
import type { ServerConfig } from '../../mcp/serverConfig';

/** Where the values of variables come from. */
export interface VariableValues {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly userHome: string;
  readonly pathSeparator: string;
  /** The path of the server's own folder, or without a name of the folder with that name. */
  workspaceFolder(name?: string): string | undefined;
  /** The value of an input, asked for if need be. */
  input(id: string): Promise<string>;
}

/** Turns the text of one configured value into the text to use. */
export type Expand = (text: string) => Promise<string>;

const variable = /\$\{([^}]*)\}/g;

/** Makes a function that replaces every `${…}` once; it rejects with a `UserError` for one without a value. */
export function createExpand(values: VariableValues): Expand {
  return async (text) => {
    const parts = await Promise.all(
      [...text.matchAll(variable)].map(([, name = '']) => resolve(name, values)),
    );
    let index = 0;
    return text.replaceAll(variable, () => parts[index++] ?? '');
  };
}

/** Replaces the variables in every part of a configuration. */
export async function expandConfig(config: ServerConfig, expand: Expand): Promise<ServerConfig> {
  if (config.type !== 'stdio') {
    const { type, url, headers, oauth } = config;
    return {
      type,
      url: await expand(url),
      headers: await expandValues(headers, expand),
      ...(oauth && { oauth: await expandValues({ ...oauth }, expand) }),
    };
  }
  return {
    ...config,
    command: await expand(config.command),
    args: await Promise.all(config.args.map(expand)),
    env: await expandValues<string | null>(config.env, expand),
    ...(config.cwd !== undefined && { cwd: await expand(config.cwd) }),
    ...(config.envFile !== undefined && { envFile: await expand(config.envFile) }),
  };
}

async function expandValues<T extends string | null>(
  values: Readonly<Record<string, T>>,
  expand: Expand,
): Promise<Record<string, T | string>> {
  const entries = Object.entries(values).map(
    async ([name, value]) => [name, value === null ? value : await expand(value)] as const,
  );
  return Object.fromEntries(await Promise.all(entries));
}

async function resolve(name: string, values: VariableValues): Promise<string> {
  const colon = name.indexOf(':');
  const kind = colon < 0 ? name : name.slice(0, colon);
  const rest = colon < 0 ? undefined : name.slice(colon + 1);
  const value = await find(kind, rest, values);
  if (value !== undefined) return value;
  const reason = reasons[kind]?.(rest ?? '') ?? `the environment variable ${kind} is not set`;
  throw new UserError(`The variable \${${name}} has no value: ${reason}.`);
}

function find(
  kind: string,
  rest: string | undefined,
  values: VariableValues,
): Promise<string> | string | undefined {
  switch (kind) {
    case 'env':
      return environment(rest ?? '', values);
    case 'input':
      return values.input(rest ?? '');
    case 'workspaceFolder':
      return values.workspaceFolder(rest);
    case 'workspaceFolderBasename':
      return values.workspaceFolder(rest)?.split(/[\\/]/).at(-1);
    case 'userHome':
      return values.userHome;
    case 'pathSeparator':
    case '/':
      return values.pathSeparator;
    default:
      // The shell's form, which `.mcp.json` uses.
      return environment(rest === undefined ? kind : `${kind}:${rest}`, values);
  }
}

/** `NAME`, or `NAME:-text` for a text where it is not set. */
function environment(name: string, { env }: VariableValues): string | undefined {
  const [key = '', fallback] = name.split(/:-(.*)/s);
  return env[key] || fallback;
}

const reasons: Readonly<Record<string, (rest: string) => string>> = {
  env: (name) => `the environment variable ${name} is not set`,
  workspaceFolder: noFolder,
  workspaceFolderBasename: noFolder,
};

function noFolder(name: string): string {
  return name ? `no workspace folder is called ${name}` : 'no folder is open';
}
