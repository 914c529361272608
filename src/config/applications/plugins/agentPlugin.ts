import { type JsonRecord, asRecord, isRecord } from '../../../base/json';
import type { Translate } from '../../../base/translate';
import { isLoopback } from '../../../mcp/http/secureUrl';
import { type ImportedServer, toMcpJson } from '../../add/importedServer';
import { unusableServer } from '../serverTable';

/** A plugin's folder, and the one for data that its servers keep across updates; both with `/`. */
export interface PluginFolders {
  readonly root: string;
  readonly data: string;
}

/** Replaces the variables for a plugin's folders in every string of a value. */
export function expandPlugin(value: unknown, { root, data }: PluginFolders): unknown {
  if (typeof value === 'string')
    return value.replaceAll(/\$\{(?:[A-Z]+_)?PLUGIN_(ROOT|DATA)\}/g, (_mark, kind: string) =>
      kind === 'ROOT' ? root : data,
    );
  if (Array.isArray(value)) return value.map((one: unknown) => expandPlugin(one, { root, data }));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, expandPlugin(one, { root, data })]),
  );
}

/** The servers of a plugin, and what cannot be used in it, in whole sentences. */
export interface PluginServers {
  readonly servers: readonly ImportedServer[];
  readonly problems: readonly string[];
}

const schema = /^https:\/\/agent-plugins\.org\/schemas\/([\d.]+)\/(?:plugin|mcp)\.schema\.json$/;

const fields: Readonly<Record<string, readonly string[]>> = {
  stdio: ['type', 'command', 'args', 'env', 'cwd'],
  'streamable-http': ['type', 'url', 'headers'],
  sse: ['type', 'url', 'headers'],
};

/** Returns the version of Agent Plugins that a manifest says it is written in; `undefined` if it names none. */
export function agentPluginVersion(manifest: JsonRecord): string | undefined {
  const { $schema } = manifest;
  return typeof $schema === 'string' ? schema.exec($schema)?.[1] : undefined;
}

/** Reads a plugin's `mcp.json` as Agent Plugins 1.0 defines it; an entry that breaks a rule is left out. */
export function readAgentPlugin(
  manifest: JsonRecord,
  mcp: JsonRecord,
  folders: PluginFolders,
  t: Translate,
): PluginServers {
  const version = agentPluginVersion(manifest);
  const { mcpServers } = mcp;
  if (version === undefined || agentPluginVersion(mcp) !== version || !isRecord(mcpServers))
    return {
      servers: [],
      problems: [
        t(
          'Its mcp.json and its plugin.json name different versions, so its servers cannot be used.',
        ),
      ],
    };
  const servers: ImportedServer[] = [];
  const problems: string[] = [];
  for (const [name, value] of Object.entries(mcpServers)) {
    const entry = asRecord(value);
    const server = isValid(entry) ? toMcpJson(expanded(entry, folders)) : undefined;
    if (server) servers.push({ name, server });
    else problems.push(unusableServer(name)(t));
  }
  return { servers, problems };
}

function isValid(entry: JsonRecord): boolean {
  const { type, command, cwd, env, url } = entry;
  const known = typeof type === 'string' && Object.hasOwn(fields, type) ? fields[type] : undefined;
  if (!known || Object.keys(entry).some((key) => !known.includes(key))) return false;
  // Its texts are literal, but anything else that looks like a variable would be replaced here.
  if (textsOf(entry).some((text) => /\$\{(?!PLUGIN_(?:ROOT|DATA)\})/.test(text))) return false;
  if (known.includes('url'))
    return typeof url === 'string' && isFitUrl(url) && !textsOf(entry).join('').includes('${');
  return (
    typeof command === 'string' &&
    (isInside(command) || /^[^\\/$]+$/.test(command)) &&
    (cwd === undefined ||
      (typeof cwd === 'string' && isInside(cwd.replace(/^\$\{PLUGIN_(?:ROOT|DATA)\}/, '.')))) &&
    !Object.keys(asRecord(env)).some((name) => /^PLUGIN_(?:ROOT|DATA)$/i.test(name))
  );
}

function expanded(entry: JsonRecord, folders: PluginFolders): JsonRecord {
  if (entry['type'] !== 'stdio') return entry;
  const { command, cwd, env, args, ...rest } = entry;
  const inRoot = (path: unknown) =>
    typeof path === 'string' && path.startsWith('./') ? folders.root + path.slice(1) : path;
  return {
    ...rest,
    command: inRoot(command),
    args: expandPlugin(args, folders),
    cwd: inRoot(expandPlugin(cwd, folders)) ?? folders.root,
    env: {
      ...asRecord(expandPlugin(env, folders)),
      PLUGIN_ROOT: folders.root,
      PLUGIN_DATA: folders.data,
    },
  };
}

/** True for a path inside the plugin's folder, or that folder itself. */
function isInside(path: string): boolean {
  return /^\.(?:\/|$)/.test(path) && !path.split(/[\\/]/).includes('..');
}

function isFitUrl(url: string): boolean {
  if (!URL.canParse(url)) return false;
  const { protocol, hostname, username, password, hash } = new URL(url);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname));
  return isSafe && username + password + hash === '';
}

function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  const parts = Array.isArray(value) ? (value as unknown[]) : Object.values(asRecord(value));
  return parts.flatMap(textsOf);
}
