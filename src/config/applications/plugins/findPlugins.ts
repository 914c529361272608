import { comparedPath } from '../../../base/uri/fileAddress';
import { errorMessage } from '../../../base/errors';
import { type JsonRecord, asRecord, changeTexts, isRecord, recordsOf } from '../../../base/json';
import type { Translate } from '../../../base/translate';
import {
  type ImportedServer,
  type InputEntry,
  inputIdOf,
  inputReference,
  inputsIn,
  toMcpJson,
} from '../../add/importedServer';
import { readJson } from '../jsonFile';
import { type Disk, type Machine, folderIn } from '../application';
import { unusableServer } from '../serverTable';
import {
  type PluginFolders,
  type PluginServers,
  agentPluginVersion,
  expandPlugin,
  readAgentPlugin,
} from './agentPlugin';

/**
 * Reads the servers of a plugin as Claude Code and the Copilot CLI do: those in its files, then those in its manifest,
 * which win if both have the same name.
 */
export function readCliPlugin(
  manifest: JsonRecord,
  files: readonly JsonRecord[],
  folders: PluginFolders,
  t: Translate,
): PluginServers {
  const plugin = typeof manifest['name'] === 'string' ? manifest['name'] : 'plugin';
  const inline = isRecord(manifest['mcpServers']) ? [manifest['mcpServers']] : [];
  const found = new Map(
    [...files.map(serversIn), ...inline].flatMap((servers) => Object.entries(servers)),
  );
  const servers: ImportedServer[] = [];
  const problems: string[] = [];
  // What the user is asked for once, for all servers of the plugin.
  const asked = new Map<string, InputEntry>();
  for (const [name, value] of found) {
    const filled = withInputs(
      expandPlugin(value, folders),
      plugin,
      asRecord(manifest['userConfig']),
      asked,
    );
    const server = toMcpJson(inRoot(asRecord(filled), folders.root), 'ms');
    const inputs = inputsIn(server).flatMap((id) => asked.get(id) ?? []);
    if (server) servers.push({ name, server, ...(inputs.length > 0 && { inputs }) });
    else problems.push(unusableServer(name)(t));
  }
  return { servers, problems };
}

/** The servers in a file, which may consist of nothing else. */
function serversIn(file: JsonRecord): JsonRecord {
  return asRecord(file['mcpServers'] ?? file['servers'] ?? file);
}

/** Turns what the application asks its user for into inputs, and the project into the workspace folder. */
function withInputs(
  value: unknown,
  plugin: string,
  wanted: JsonRecord,
  asked: Map<string, InputEntry>,
): unknown {
  return changeTexts(value ?? null, (part) =>
    part
      .replaceAll('${CLAUDE_PROJECT_DIR}', '${workspaceFolder}')
      .replaceAll(/\$\{user_config\.([\w-]+)\}/g, (_mark, key: string) => {
        const { title, description, default: initial, sensitive } = asRecord(wanted[key]);
        const id = inputIdOf(plugin, key);
        const known = asked.get(id);
        if (known) return inputReference(id);
        asked.set(id, {
          id,
          type: 'promptString',
          description: [title, description].find((one) => typeof one === 'string') ?? key,
          password: sensitive === true,
          ...(typeof initial === 'string' && { default: initial }),
        });
        return inputReference(id);
      }),
  );
}

function inRoot(entry: JsonRecord, root: string): JsonRecord {
  const path = (one: unknown) =>
    typeof one === 'string' && one.startsWith('./') ? root + one.slice(1) : one;
  const { command, cwd } = entry;
  return {
    ...entry,
    ...(command !== undefined && { command: path(command) }),
    ...(cwd !== undefined && { cwd: path(cwd) }),
  };
}

/** A plugin as an application installed it. */
interface InstalledPlugin extends PluginFolders {
  /** True if the user disabled it there. */
  readonly isOff: boolean;
  /** The folder that its data must not leave, if others may have put links into it: a repository. */
  readonly base?: string;
}

/** Finds the plugins of Claude Code, the Copilot CLI and all agents on a machine. */
async function installedPlugins(
  machine: Machine,
  reader: Disk,
): Promise<readonly InstalledPlugin[]> {
  const all = await Promise.all([
    claudePlugins(machine, reader),
    copilotPlugins(machine, reader),
    agentPlugins(machine, reader),
  ]);
  return all.flat();
}

async function claudePlugins({ home, env, folders }: Machine, reader: Disk) {
  const base = folderIn(env, 'CLAUDE_CONFIG_DIR') ?? `${home}/.claude`;
  const { plugins } = await readFile(`${base}/plugins/installed_plugins.json`, reader);
  const { enabledPlugins } = await readFile(`${base}/settings.json`, reader);
  return Object.entries(asRecord(plugins)).flatMap(([key, value]) =>
    recordsOf([value].flat())
      .filter(({ projectPath }) => projectPath === undefined || isOpen(projectPath, folders))
      .flatMap(({ installPath }): InstalledPlugin[] =>
        typeof installPath === 'string'
          ? [
              {
                root: slashes(installPath),
                data: `${base}/plugins/data/${fileNameOf(key)}`,
                isOff: asRecord(enabledPlugins)[key] === false,
              },
            ]
          : [],
      ),
  );
}

async function copilotPlugins({ home, env }: Machine, reader: Disk) {
  const base = folderIn(env, 'COPILOT_HOME') ?? `${home}/.copilot`;
  const { enabledPlugins } = await readFile(`${base}/settings.json`, reader);
  const { installed_plugins, installedPlugins: known } = await readFile(
    `${base}/config.json`,
    reader,
  );
  const off = recordsOf(installed_plugins ?? known).filter(({ enabled }) => enabled === false);
  const parent = `${base}/installed-plugins`;
  const found: InstalledPlugin[] = [];
  const add = (marketplace: string | undefined, name: string) => {
    const key = marketplace === undefined ? name : `${name}@${marketplace}`;
    const isOff = off.some(
      (one) => one['name'] === name && (one['marketplace'] || undefined) === marketplace,
    );
    found.push({
      root: [parent, marketplace, name].filter(Boolean).join('/'),
      data: `${base}/plugin-data/${fileNameOf(key)}`,
      isOff: isOff || asRecord(enabledPlugins)[key] === false,
    });
  };
  for (const name of await reader.folders(parent)) {
    // Plugins without a marketplace are next to the folders of marketplaces.
    add(undefined, name);
    for (const below of await reader.folders(`${parent}/${name}`))
      if (!below.startsWith('.')) add(name, below);
  }
  return found;
}

async function agentPlugins({ home, folders }: Machine, reader: Disk) {
  const all = await Promise.all(
    [home, ...folders].map(async (folder) => {
      const parent = `${folder}/.agents/plugins`;
      return (await reader.folders(parent))
        .filter((name) => name !== 'data')
        .map((name) => ({
          root: `${parent}/${name}`,
          data: `${parent}/data/${name}`,
          isOff: false,
          ...(folder !== home && { base: folder }),
        }));
    }),
  );
  return all.flat();
}

async function readFile(path: string, reader: Disk): Promise<JsonRecord> {
  const text = await reader.text(path).catch(() => undefined);
  try {
    return readJson(text ?? '');
  } catch {
    return {};
  }
}

function isOpen(project: unknown, folders: readonly string[]): boolean {
  if (typeof project !== 'string') return false;
  return folders.some((folder) => comparedPath(folder) === comparedPath(project));
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}

function fileNameOf(key: string): string {
  return key.replaceAll(/[^\w.-]+/g, '-');
}

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
