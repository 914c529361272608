import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { ConfigSource } from '../configSource';
import { parseMcpJson } from './mcpJson';
import type { Reading } from '../reading';

/** From the further to the closer. */
const paths = ['.mcp.json', '.vscode/mcp.json'] as const;

/** Servers from the `mcp.json` files of every workspace folder. */
export function createMcpJsonSource(): ConfigSource {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<void>());
  const watchers = store.add(new DisposableStore());
  const lastGood = new Map<string, Reading>();

  const watch = () => {
    watchers.clear();
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      // One each: a pattern of alternatives is slow to compile.
      for (const path of paths) {
        const pattern = new vscode.RelativePattern(folder, path);
        const watcher = watchers.add(vscode.workspace.createFileSystemWatcher(pattern));
        for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
          watchers.add(event(() => changed.fire()));
      }
    }
  };
  watch();
  store.add(
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      watch();
      changed.fire();
    }),
  );
  // Not every file system reports its changes.
  store.add(
    vscode.workspace.onDidSaveTextDocument(({ uri }) => {
      if (paths.some((path) => uri.path.endsWith(`/${path}`))) changed.fire();
    }),
  );

  return {
    onDidChange: changed.event,
    dispose: () => store.dispose(),
    async read() {
      const folders = vscode.workspace.workspaceFolders ?? [];
      const readings = await Promise.all(
        folders.flatMap((folder) => paths.map((path) => readFile(folder, path))),
      );
      return readings.flatMap((reading) => (reading ? [keepServers(reading, lastGood)] : []));
    },
  };
}

/** While a file is being edited its servers run on: a broken text does not take them away. */
function keepServers(reading: Reading, lastGood: Map<string, Reading>): Reading {
  const key = reading.uri ?? '';
  const { entries = [], inputs } = lastGood.get(key) ?? {};
  if (reading.problems.length > 0) return { ...reading, entries, inputs };
  lastGood.set(key, reading);
  return reading;
}

async function readFile(
  { uri: folder, name }: vscode.WorkspaceFolder,
  path: string,
): Promise<Reading | undefined> {
  const uri = vscode.Uri.joinPath(folder, path);
  const base = {
    scope: 'folder',
    label: `${name}/${path}`,
    uri: uri.toString(),
    folder: { uri: folder.toString(), name },
  } as const;
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return { ...base, ...parseMcpJson(new TextDecoder().decode(bytes)) };
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    const message = vscode.l10n.t('The file cannot be read: {0}', errorMessage(error));
    return { ...base, entries: [], inputs: undefined, problems: [{ message }] };
  }
}
