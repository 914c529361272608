import { errorMessage } from '../../../base/errors';
import { type JsonRecord } from '../../../base/json';
import type { Translate } from '../../../base/translate';
import type { ImportedServer } from '../../add/importedServer';
import { readJson } from '../jsonFile';
import type { Machine } from '../application';
import { agentPluginVersion, readAgentPlugin, type PluginServers } from './agentPlugin';
import { readCliPlugin } from './cliPlugin';
import { installedPlugins, type InstalledPlugin } from './installedPlugins';

/** So many plugins are looked at; nobody has more. */
export const maxPlugins = 200;

/** What plugins are read with. */
export interface PluginReader {
  /** The text of a file; undefined where there is none. Rejects where it cannot be read. */
  text(path: string): Promise<string | undefined>;
  /** The names of the folders in a folder, none where there is none. */
  folders(path: string): Promise<readonly string[]>;
  /** True where a path below a folder leads out of it by a link. */
  escapes(root: string, segments: readonly string[]): Promise<boolean>;
}

/** A plugin that is installed for an application. */
export interface FoundPlugin extends PluginServers {
  /** Its folder. */
  readonly root: string;
  /** The folder that its servers may keep things in. */
  readonly data: string;
}

const manifests = [
  'plugin.json',
  '.plugin/plugin.json',
  '.github/plugin/plugin.json',
  '.claude-plugin/plugin.json',
];

/** The plugins with servers that are installed on a machine. */
export async function findPlugins(
  machine: Machine,
  reader: PluginReader,
  t: Translate,
): Promise<readonly FoundPlugin[]> {
  const installed = (await installedPlugins(machine, reader)).slice(0, maxPlugins);
  const found = await Promise.all(installed.map((plugin) => readPlugin(plugin, reader, t)));
  return found.filter(({ servers, problems }) => servers.length + problems.length > 0);
}

async function readPlugin(
  { root, data, isOff }: InstalledPlugin,
  reader: PluginReader,
  t: Translate,
): Promise<FoundPlugin> {
  try {
    const { servers, problems } = await serversOf(root, data, reader, t);
    const inside: ImportedServer[] = [];
    for (const one of servers) {
      const { command } = one.server;
      const path =
        typeof command === 'string' && command.startsWith(`${root}/`)
          ? command.slice(root.length + 1)
          : '';
      if (
        path !== '' &&
        (path.split('/').includes('..') || (await reader.escapes(root, path.split('/'))))
      )
        problems.push(t('Its server "{0}" cannot be used.', one.name));
      else inside.push(isOff ? { ...one, server: { ...one.server, disabled: true } } : one);
    }
    return { root, data, servers: inside, problems };
  } catch (error) {
    return { root, data, servers: [], problems: [errorMessage(error, t)] };
  }
}

async function serversOf(root: string, data: string, reader: PluginReader, t: Translate) {
  const folders = { root, data };
  const read = async (path: string): Promise<JsonRecord | undefined> => {
    if (path.split('/').includes('..') || (await reader.escapes(root, path.split('/'))))
      return undefined;
    const text = await reader.text(`${root}/${path}`);
    return text === undefined ? undefined : readJson(text);
  };
  const first = async (paths: readonly string[]) => {
    for (const path of paths) {
      const value = await read(path);
      if (value) return value;
    }
    return undefined;
  };
  const manifest = (await first(manifests)) ?? {};
  let found: PluginServers;
  if (agentPluginVersion(manifest) === undefined) {
    const { mcpServers } = manifest;
    const named = [mcpServers].flat().filter((one) => typeof one === 'string');
    const paths = named.map((one) => one.replace(/^\.\//, ''));
    const usual = await first(['.mcp.json', '.github/mcp.json']);
    const files = [usual, ...(await Promise.all(paths.map(read)))].filter(
      (one) => one !== undefined,
    );
    found = readCliPlugin(manifest, files, folders, t);
  } else {
    const mcp = await read('mcp.json');
    found = mcp ? readAgentPlugin(manifest, mcp, folders, t) : { servers: [], problems: [] };
  }
  return { servers: found.servers, problems: [...found.problems] };
}
