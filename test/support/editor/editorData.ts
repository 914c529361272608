import {
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { cacheDirectory } from '../paths';
import { execute } from '../run/execute';
import { withLock } from '../run/lock';
import { editorPath, serverLine, type Editor } from './editor';

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

/**
 * Returns the folder of the user inside the data folder: what the editor and extensions keep. A search of the whole
 * folder would follow the drives of Wine to all of this machine.
 */
export function userFolder(data: string): string {
  return join(data, 'data', 'User');
}

/** The editor's own extensions that no test uses: they sign in to services, find tasks of other tools, complete texts. */
const unused: ReadonlySet<string> = new Set([
  'copilot',
  'emmet',
  'github',
  'github-authentication',
  'grunt',
  'gulp',
  'jake',
  'merge-conflict',
  'microsoft-authentication',
  'npm',
  'php-language-features',
  'terminal-suggest',
  'tunnel-forwarding',
]);

/**
 * Makes a folder inside the data folder with links to the editor's own extensions that tests use, and returns it: the
 * others take a tenth of what each window has to do. Wine does not look behind these links, so there is none.
 */
export async function linkOwnExtensions(
  { server, windows }: Editor,
  data: string,
): Promise<string | undefined> {
  if (windows) return undefined;
  const own = join(dirname(dirname(server)), 'extensions');
  const links = join(data, 'own-extensions');
  await mkdir(links);
  for (const entry of await readdir(own, { withFileTypes: true }))
    // What several of them need lies beside them.
    if (entry.isDirectory() && !unused.has(entry.name))
      await symlink(join(own, entry.name), join(links, entry.name), 'junction');
  return links;
}

/** Installs a package with the editor's own command line. */
async function installPackage(editor: Editor, data: string, vsix: string): Promise<void> {
  const { command, args, env } = serverLine(editor, [
    `--install-extension=${editorPath(editor, vsix)}`,
    '--accept-server-license-terms',
    `--server-data-dir=${editorPath(editor, data)}`,
    `--extensions-dir=${editorPath(editor, extensionsIn(data))}`,
  ]);
  const { code, output } = await execute(command, args, { env });
  if (code !== 0) throw new Error(`${basename(vsix)} could not be installed:\n${output}`);
}

/** Copies extensions that are installed beforehand; the editor finds only those that are there before the package. */
async function copyInstalled(installed: readonly string[], data: string): Promise<void> {
  for (const folder of installed)
    await cp(folder, join(extensionsIn(data), basename(folder)), { recursive: true });
}

/** Installs a package beside other extensions, once for each build of it: later data folders get a copy. */
async function installOnce(
  editor: Editor,
  vsix: string,
  installed: readonly string[],
  data: string,
): Promise<void> {
  const name = [editor.version, ...installed.map((folder) => basename(folder))].join('-');
  const model = join(cacheDirectory, 'installed', name);
  const made = join(model, 'made-of.txt');
  const { mtimeMs, size } = await stat(vsix);
  const source = `${vsix} ${mtimeMs} ${size}`;
  await withLock(`${model}.lock`, async () => {
    if ((await readFile(made, 'utf8').catch(() => '')) !== source) {
      await rm(model, { recursive: true, force: true });
      await copyInstalled(installed, model);
      await installPackage(editor, model, vsix);
      await writeFile(made, source);
    }
    await cp(extensionsIn(model), extensionsIn(data), { recursive: true });
  });
  const list = join(extensionsIn(data), 'extensions.json');
  const inJson = (path: string) => JSON.stringify(path).slice(1, -1);
  const text = await readFile(list, 'utf8');
  const moved = text.replaceAll(inJson(model), inJson(data));
  // Windows has each path in both ways.
  const there = (path: string) => inJson(editorPath(editor, path));
  await writeFile(list, moved.replaceAll(there(model), there(data)));
}

/** Creates the data folder of a first run, with user settings and the extensions, and returns its path. */
export async function createData(
  editor: Editor,
  { extension, installed, settings }: DataOptions,
): Promise<string> {
  const data = await realpath(await mkdtemp(join(tmpdir(), 'mcp-workbench-editor-')));
  const user = userFolder(data);
  await mkdir(user, { recursive: true });
  const text = JSON.stringify({ ...quietSettings, ...settings }, undefined, 2);
  await writeFile(join(user, 'settings.json'), text);
  if ('vsix' in extension) {
    await installOnce(editor, extension.vsix, installed, data);
    return data;
  }
  await copyInstalled(installed, data);
  // The editor is inside this repository and would mistake its own themes for those of the extension under development,
  // which it prefers to the theme that is set; it does not look behind a link.
  await symlink(extension.folder, developed(data), 'junction');
  return data;
}
