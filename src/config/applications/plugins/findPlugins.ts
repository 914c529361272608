import { errorMessage } from '../../../base/errors';
import { type JsonRecord } from '../../../base/json';
import type { Translate } from '../../../base/translate';
import type { ImportedServer } from '../../add/importedServer';
import { readJson } from '../jsonFile';
import type { Disk, Machine } from '../application';
import { unusableServer } from '../serverTable';
import {
  type PluginFolders,
  type PluginServers,
  agentPluginVersion,
  readAgentPlugin,
} from './agentPlugin';
import { readCliPlugin } from './cliPlugin';
import { installedPlugins, type InstalledPlugin } from './installedPlugins';

/** At most this many plugins are read, more than anyone has. */
export const maxPlugins = 200;

/** The access to the file system that reading plugins needs. */
export interface PluginReader extends Disk {
  /** True if a path below a folder leads out of it through a link. */
  escapes(root: string, segments: readonly string[]): Promise<boolean>;
}

/** A plugin that is installed for an application. */
export interface FoundPlugin extends PluginServers {
  /** Its folder. */
  readonly root: string;
  /** The folder for data that its servers keep. */
  readonly data: string;
  /** False if one of its files cannot be read. */
  readonly isRead: boolean;
  /** The last file that was read, where its problems most likely are; `undefined` if there was none. */
  readonly file: string | undefined;
}

const manifests = [
  'plugin.json',
  '.plugin/plugin.json',
  '.github/plugin/plugin.json',
  '.claude-plugin/plugin.json',
];

/** Finds the plugins on a machine that have servers or problems. */
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
  { root, data, isOff, base }: InstalledPlugin,
  reader: PluginReader,
  t: Translate,
): Promise<FoundPlugin> {
  const opened: string[] = [];
  try {
    const { servers, problems } = await serversOf({ root, data }, opened, reader, t);
    const inside: ImportedServer[] = [];
    const isDataElsewhere =
      base !== undefined && (await reader.escapes(base, data.slice(base.length + 1).split('/')));
    for (const one of servers) {
      const { command } = one.server;
      const path =
        typeof command === 'string' && command.startsWith(`${root}/`)
          ? command.slice(root.length + 1)
          : '';
      // Its folder for data is made when it is imported.
      const makesData = JSON.stringify(one.server).includes(data);
      if (
        (makesData && isDataElsewhere) ||
        (path !== '' &&
          (path.split('/').includes('..') || (await reader.escapes(root, path.split('/')))))
      )
        problems.push(unusableServer(one.name)(t));
      else inside.push(isOff ? { ...one, server: { ...one.server, disabled: true } } : one);
    }
    return { root, data, servers: inside, problems, isRead: true, file: opened.at(-1) };
  } catch (error) {
    const problems = [errorMessage(error, t)];
    return { root, data, servers: [], problems, isRead: false, file: opened.at(-1) };
  }
}

/** Reads the servers of a plugin; each file that exists is added to `opened` in turn, even one that cannot be read. */
async function serversOf(
  folders: PluginFolders,
  opened: string[],
  reader: PluginReader,
  t: Translate,
) {
  const { root } = folders;
  const read = async (path: string): Promise<JsonRecord | undefined> => {
    if (path.split('/').includes('..') || (await reader.escapes(root, path.split('/'))))
      return undefined;
    opened.push(`${root}/${path}`);
    const text = await reader.text(`${root}/${path}`);
    if (text !== undefined) return readJson(text);
    opened.pop();
    return undefined;
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
    const files = [usual];
    for (const path of paths) files.push(await read(path));
    const there = files.filter((one) => one !== undefined);
    found = readCliPlugin(manifest, there, folders, t);
  } else {
    const mcp = await read('mcp.json');
    found = mcp ? readAgentPlugin(manifest, mcp, folders, t) : { servers: [], problems: [] };
  }
  return { servers: found.servers, problems: [...found.problems] };
}
