import { asRecord, recordsOf, type JsonRecord } from '../../../base/json';
import { folderIn, type Disk, type Machine } from '../application';
import { readJson } from '../jsonFile';
import type { PluginFolders } from './agentPlugin';

/** A plugin as an application installed it. */
export interface InstalledPlugin extends PluginFolders {
  /** True if the user disabled it there. */
  readonly isOff: boolean;
  /** The folder that its data must not leave, if others may have put links into it: a repository. */
  readonly base?: string;
}

/** Finds the plugins of Claude Code, the Copilot CLI and all agents on a machine. */
export async function installedPlugins(
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
  // The editor writes drive letters in lower case.
  return folders.includes(slashes(project).replace(/^[A-Z]:/, (drive) => drive.toLowerCase()));
}

function slashes(path: string): string {
  return path.replaceAll('\\', '/');
}

function fileNameOf(key: string): string {
  return key.replaceAll(/[^\w.-]+/g, '-');
}
