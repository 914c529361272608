import { isRecord } from '../base/json';
import { parseOAuthConfig, type OAuthConfig } from './auth/client/oauthConfig';
import type { ServerLimits } from './serverLimits';

/** What of the editor's environment a process inherits: what programs need, all but the editor's own, nothing. */
export const inheritances = ['safe', 'all', 'none'] as const;

/** One of {@link inheritances}. */
export type Inheritance = (typeof inheritances)[number];

/** How a server that runs as a process of ours is launched. */
export interface StdioServerConfig {
  readonly type: 'stdio';
  readonly command: string;
  readonly args: readonly string[];
  /** Added to the inherited environment; `null` removes a name. */
  readonly env: Readonly<Record<string, string | null>>;
  readonly cwd?: string;
  /** A file of `NAME=value` lines; `env` wins over it. */
  readonly envFile?: string;
  readonly inheritEnvironment?: Inheritance;
}

/** How a server at a URL is reached; `sse` is the HTTP+SSE transport of 2024-11-05. */
export interface HttpServerConfig {
  readonly type: 'http' | 'sse';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly oauth?: OAuthConfig;
}

/** How a server is reached, checked and with every optional part filled in. */
export type ServerConfig = StdioServerConfig | HttpServerConfig;

/** A configured server: `id` is unique and stable, `name` is what the person called it. */
export interface ServerDefinition {
  readonly id: string;
  readonly name: string;
  readonly config: ServerConfig;
  readonly limits: ServerLimits;
  /** Where the definition stands: a label for people, and the file and 0-based line if it is one. */
  readonly source: {
    readonly label: string;
    readonly uri?: string;
    readonly line?: number;
    /** The address of the workspace that it belongs to, where it is no file. */
    readonly workspace?: string;
  };
  /** The workspace folder that variables and relative paths refer to, as a `file:` URI. */
  readonly folder?: string;
}

/** Reads a configuration as it stands in `mcp.json` or the setting; problems are whole sentences. */
export function parseServerConfig(
  value: unknown,
): { readonly config: ServerConfig } | { readonly problem: string } {
  if (!isRecord(value)) return { problem: 'The server must be an object.' };
  const type = value['type'] ?? (value['url'] === undefined ? 'stdio' : 'http');
  switch (type) {
    case 'stdio':
      return parseStdio(value);
    case 'http':
    case 'streamable-http':
    case 'streamableHttp':
      return parseHttp(value, 'http');
    case 'sse':
      return parseHttp(value, 'sse');
    default:
      return {
        problem: `The type ${JSON.stringify(type)} is unknown: use "stdio", "http" or "sse".`,
      };
  }
}

/** True when the headers already say who the person is, so that there is nothing to sign in to. */
export function hasAuthorization(headers: HttpServerConfig['headers']): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === 'authorization');
}

/** True when both would launch or reach the same server in the same way. */
export function sameConfig(a: ServerConfig, b: ServerConfig): boolean {
  return canonicalJson(a) === canonicalJson(b);
}

/** True when both define the same server; where the definition stands does not matter. */
export function sameDefinition(a: ServerDefinition, b: ServerDefinition): boolean {
  return (
    a.id === b.id &&
    a.name === b.name &&
    a.folder === b.folder &&
    sameConfig(a.config, b.config) &&
    canonicalJson(a.limits) === canonicalJson(b.limits)
  );
}

/** JSON with the keys of every object sorted, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function parseStdio(
  value: Readonly<Record<string, unknown>>,
): ReturnType<typeof parseServerConfig> {
  const { command, args = [], env = {}, cwd, envFile, inheritEnvironment } = value;
  if (typeof command !== 'string' || command.trim() === '')
    return { problem: '"command" must name the program to start.' };
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string'))
    return { problem: '"args" must be a list of strings.' };
  const variables = parseEnv(env);
  if (!variables) return { problem: '"env" must map names to strings, numbers or null.' };
  if (cwd !== undefined && typeof cwd !== 'string') return { problem: '"cwd" must be a path.' };
  if (envFile !== undefined && typeof envFile !== 'string')
    return { problem: '"envFile" must be a path.' };
  const inheritance = inheritances.find((one) => one === inheritEnvironment);
  if (inheritEnvironment !== undefined && !inheritance)
    return { problem: '"inheritEnvironment" must be "safe", "all" or "none".' };
  return {
    config: {
      type: 'stdio',
      command,
      args,
      env: variables,
      ...(cwd !== undefined && { cwd }),
      ...(envFile !== undefined && { envFile }),
      ...(inheritance && { inheritEnvironment: inheritance }),
    },
  };
}

function parseHttp(
  value: Readonly<Record<string, unknown>>,
  type: 'http' | 'sse',
): ReturnType<typeof parseServerConfig> {
  const { url, headers = {}, oauth } = value;
  // A variable may stand for the whole address, so the URL is only checked where it is complete.
  if (typeof url !== 'string' || !(url.includes('${') || /^https?:\/\/[^/]/i.test(url)))
    return { problem: '"url" must be an http: or https: address.' };
  if (!isRecord(headers) || !Object.values(headers).every((header) => typeof header === 'string'))
    return { problem: '"headers" must map names to strings.' };
  const signIn = oauth === undefined ? undefined : parseOAuthConfig(oauth);
  if (signIn && 'problem' in signIn) return signIn;
  return {
    config: {
      type,
      url,
      headers: headers as Readonly<Record<string, string>>,
      ...(signIn && { oauth: signIn }),
    },
  };
}

function parseEnv(env: unknown): Readonly<Record<string, string | null>> | undefined {
  if (!isRecord(env)) return undefined;
  const variables: Record<string, string | null> = {};
  for (const [name, value] of Object.entries(env)) {
    if (value !== null && typeof value !== 'string' && typeof value !== 'number') return undefined;
    variables[name] = value === null ? null : String(value);
  }
  return variables;
}
