import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { PrivateFiles } from '../mcp/platform';

/** Calls `changed` when any window may have written to the logs in a folder, until disposed. */
export function watchLogs(
  folder: vscode.Uri,
  files: Pick<PrivateFiles, 'makeFolder'>,
  changed: () => void,
): Disposable {
  const store = new DisposableStore();
  const watch = () => {
    const pattern = new vscode.RelativePattern(folder, '*.jsonl');
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(pattern));
    for (const event of [watcher.onDidCreate, watcher.onDidChange]) store.add(event(changed));
  };
  // A folder that does not exist cannot be watched; if it cannot be made, nothing is logged either.
  void files.makeFolder(folder).then(watch, () => undefined);
  // Not every file system reports its changes.
  store.add(
    vscode.window.onDidChangeWindowState(({ focused }) => {
      if (focused) changed();
    }),
  );
  return store;
}
