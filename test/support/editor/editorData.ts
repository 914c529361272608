import { cp, mkdir, mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { execute } from '../run/execute';
import type { Editor } from './editor';

/** What a fresh editor's data consists of. */
export interface DataOptions {
  /**
   * The extension: a package, installed as a user would, or a folder under development, of which this editor accepts
   * only one.
   */
  extension: { readonly vsix: string } | { readonly folder: string };
  /** Folders of extensions that are installed beforehand. */
  installed: readonly string[];
  /** User settings in addition to the quiet defaults. */
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

/** Returns the path of the extension under development inside the data folder. */
export function developed(data: string): string {
  return join(data, 'developed');
}

/** Returns the folder of installed extensions inside the data folder. */
export function extensionsIn(data: string): string {
  return join(data, 'extensions');
}

/** Installs a package with the editor's own command line. */
async function installPackage({ node, server }: Editor, data: string, vsix: string): Promise<void> {
  const folders = [`--server-data-dir=${data}`, `--extensions-dir=${extensionsIn(data)}`];
  const { code, output } = await execute(node, [
    server,
    `--install-extension=${vsix}`,
    '--accept-server-license-terms',
    ...folders,
  ]);
  if (code !== 0) throw new Error(`${basename(vsix)} could not be installed:\n${output}`);
}

/** Creates the data folder of a first run, with user settings and the extensions, and returns its path. */
export async function createData(
  editor: Editor,
  { extension, installed, settings }: DataOptions,
): Promise<string> {
  const data = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-editor-')));
  const user = join(data, 'data', 'User');
  await mkdir(user, { recursive: true });
  const text = JSON.stringify({ ...quietSettings, ...settings }, undefined, 2);
  await writeFile(join(user, 'settings.json'), text);
  // Before the package: the first installation lists the extensions that are here, and only those are found.
  for (const folder of installed) {
    await cp(folder, join(extensionsIn(data), basename(folder)), { recursive: true });
  }
  if ('vsix' in extension) await installPackage(editor, data, extension.vsix);
  // The editor is inside this repository and would mistake its own themes for those of the extension under development,
  // which it prefers to the theme that is set; it does not look behind a link.
  else await symlink(extension.folder, developed(data), 'junction');
  return data;
}
