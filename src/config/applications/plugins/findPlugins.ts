import { errorMessage } from '../../../base/errors';
import { type JsonRecord } from '../../../base/json';
import type { Translate } from '../../../base/translate';
import type { ImportedServer } from '../../add/importedServer';
import { readJson } from '../jsonFile';
import type { Machine } from '../application';
import { unusableServer } from '../serverTable';
import { agentPluginVersion, readAgentPlugin, type PluginServers } from './agentPlugin';
import { readCliPlugin } from './cliPlugin';
import { installedPlugins, type InstalledPlugin } from './installedPlugins';
import type { PluginFolders } from './pluginVariables';

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
  /** False where one of its files cannot be read. */
  readonly isRead: boolean;
  /** The file that was read last, which has its problems as far as is known. */
  readonly file: string | undefined;
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
  const opened: string[] = [];
  try {
    const { servers, problems } = await serversOf({ root, data }, opened, reader, t);
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
        problems.push(unusableServer(one.name)(t));
      else inside.push(isOff ? { ...one, server: { ...one.server, disabled: true } } : one);
    }
    return { root, data, servers: inside, problems, isRead: true, file: opened.at(-1) };
  } catch (error) {
    const problems = [errorMessage(error, t)];
    return { root, data, servers: [], problems, isRead: false, file: opened.at(-1) };
  }
}

/** The servers of a plugin; the files that are there come into `opened` in turn, also the one that cannot be read. */
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
