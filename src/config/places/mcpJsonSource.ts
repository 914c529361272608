import * as vscode from 'vscode';
import { delay } from '../../base/async';
import { DisposableStore } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { Platform } from '../../mcp/platform';
import { shownPath } from '../../base/uri/fileAddress';
import { Setting } from '../../ui/ids';
import { onDidChangeSettings } from '../../ui/settings/readSetting';
import type { ConfigLayer, ConfigSource, ServerEntry } from '../configLayer';
import { readFileText } from '../fileText';
import { openFolders } from '../launch/surroundings';
import { leadsInto } from '../launch/workspaceParts';
import { configFiles, type ConfigFile } from './configFiles';
import { findHints } from './hints';
import { findServers, parseMcpJson, serverPaths } from './mcpJson';

/** How long a program that empties or deletes a file may take to write it again, in milliseconds. */
const rewriteMs = 2000;

/** Makes the source of servers in the files of the user and of every workspace folder. */
export function createMcpJsonSource(platform: Platform): ConfigSource {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>());
  const watchers = store.add(new DisposableStore());

  let files: readonly ConfigFile[] | undefined;
  const watch = (): readonly ConfigFile[] => {
    watchers.clear();
    files = configFiles(platform);
    // One watcher each: a pattern with alternatives is slow to compile.
    for (const { base, path } of files) {
      const pattern = new vscode.RelativePattern(base, path);
      const watcher = watchers.add(vscode.workspace.createFileSystemWatcher(pattern));
      for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
        watchers.add(event(() => changed.fire()));
    }
    return files;
  };
  const watchAnew = () => {
    watch();
    changed.fire();
  };
  store.add(vscode.workspace.onDidChangeWorkspaceFolders(watchAnew));
  store.add(onDidChangeSettings([Setting.places], watchAnew));
  // Not every file system reports its changes.
  store.add(
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (files?.some((file) => uriOf(file).toString() === uri.toString())) changed.fire();
    }),
  );

  return {
    onDidChange: changed.event,
    dispose: () => store.dispose(),
    async read(last) {
      // Activation does not wait for the watchers, but nothing is read before they would tell of a change.
      const read = await Promise.all(
        (files ?? watch()).map(async (file) => {
          const before = last.find(({ uri }) => uri === uriOf(file).toString());
          const found = await readFile(file, platform.programs, hasServers(before));
          return found && keepServers(found, before);
        }),
      );
      return read.flatMap((one) => one ?? []);
    },
  };
}

interface ReadFile {
  readonly layer: ConfigLayer;
  /** Empty if the file could not be read. */
  readonly text: string;
}

function hasServers(layer: ConfigLayer | undefined): boolean {
  return (layer?.entries.length ?? 0) > 0;
}

/** While a file is being edited, its servers keep running: broken text does not remove them. */
function keepServers({ layer, text }: ReadFile, before: ConfigLayer | undefined): ConfigLayer {
  if (layer.problems.length === 0 || hasServers(layer)) return layer;
  const { entries = [], inputs } = before ?? {};
  return { ...layer, entries: placedIn(text, layer, entries), inputs };
}

/** Returns the entries with their current ranges, if any: the old ones may be past the end of the text. */
function placedIn(
  text: string,
  layer: ConfigLayer,
  entries: readonly ServerEntry[],
): readonly ServerEntry[] {
  const found = findServers(text, serverPaths(layer));
  const places = new Map(found.map(({ name, range }) => [name, range]));
  return entries.map(({ name, value }) => {
    const range = places.get(name);
    return { name, value, ...(range && { range }) };
  });
}

function uriOf({ base, path }: ConfigFile): vscode.Uri {
  return vscode.Uri.joinPath(base, path);
}

/** Whatever variable or link leads a place of the user into an open folder, what is there is the workspace's. */
async function ownerOf(
  file: ConfigFile,
  machine: Platform['programs'],
): Promise<Pick<ConfigLayer, 'scope' | 'folder'>> {
  const path = shownPath(uriOf(file));
  if (file.scope === 'user' && machine)
    for (const folder of openFolders())
      if (await leadsInto(path, [folder], machine))
        return { scope: 'folder', folder: { uri: folder.uri, name: folder.name } };
  return { scope: file.scope, ...(file.folder && { folder: file.folder }) };
}

async function readFile(
  file: ConfigFile,
  machine: Platform['programs'],
  hadServers: boolean,
): Promise<ReadFile | undefined> {
  const uri = uriOf(file);
  const { label, parent, isOfEditor } = file;
  const place = {
    ...(await ownerOf(file, machine)),
    label,
    uri: uri.toString(),
    ...(parent && { parent }),
    ...(isOfEditor && { isOfEditor }),
  };
  try {
    let text = await readFileText(uri, machine);
    if (hadServers && !text?.trim()) {
      await delay(rewriteMs);
      text = await readFileText(uri, machine);
    }
    if (text === undefined) return undefined;
    const read = parseMcpJson(text, file, vscode.l10n.t);
    const hints = read.problems.length > 0 ? [] : findHints(text, file, vscode.l10n.t);
    return { layer: { ...place, ...read, hints }, text };
  } catch (error) {
    const message = vscode.l10n.t(
      'The file cannot be read: {0}',
      errorMessage(error, vscode.l10n.t),
    );
    const layer = { ...place, entries: [], inputs: undefined, problems: [{ message }] };
    return { layer, text: '' };
  }
}
