import { cp, mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

/** What a fresh editor is made of. */
export interface DataOptions {
  /** The folder of the extension under development; this editor takes only one. */
  extension: string;
  /** Folders of extensions that are installed beside it. */
  installed: readonly string[];
  /** User settings beyond the quiet defaults. */
  settings?: Readonly<Record<string, unknown>>;
}

const quietSettings = {
  'extensions.autoCheckUpdates': false,
  'extensions.ignoreRecommendations': true,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  'security.workspace.trust.startupPrompt': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'workbench.enableExperiments': false,
  'workbench.reduceMotion': 'on',
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Where in the data folder the extension under development is. */
export function developed(data: string): string {
  return join(data, 'developed');
}

/** Makes the folder of a first run: user settings, a link to the extension under development, and the installed ones. */
export async function createData({ extension, installed, settings }: DataOptions): Promise<string> {
  const data = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-editor-')));
  const user = join(data, 'data', 'User');
  await mkdir(user, { recursive: true });
  const text = JSON.stringify({ ...quietSettings, ...settings }, undefined, 2);
  await writeFile(join(user, 'settings.json'), text);
  // The editor lies inside this repository and would take its own themes for those of the extension under
  // development, whose themes it prefers to the one that is set; it does not look behind a link.
  await symlink(extension, developed(data), 'junction');
  for (const folder of installed) {
    await cp(folder, join(data, 'extensions', basename(folder)), { recursive: true });
  }
  return data;
}
