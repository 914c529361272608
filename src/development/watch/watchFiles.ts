import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { SourceChange } from './fileRestarts';
import { FileTimes } from './fileTimes';
import { isIgnored } from './ignored';

/** Receives the changes to files that happen while they are heeded. */
interface ChangeListener {
  readonly isHeeded: () => boolean;
  readonly changed: (change: SourceChange) => void;
}

/** Calls back for each change to a file that globs match in a folder; globs that begin with `!` exclude files. */
export function watchFiles(
  base: vscode.Uri,
  globs: readonly string[],
  { isHeeded, changed: onChange }: ChangeListener,
): Disposable {
  const store = new DisposableStore();
  const patternOf = (glob: string) => new vscode.RelativePattern(base, fromFolder(glob));
  const matches = (pattern: vscode.RelativePattern, uri: vscode.Uri) =>
    vscode.languages.match({ pattern }, { uri } as vscode.TextDocument) > 0;
  const left = globs.filter((glob) => glob.startsWith('!')).map((glob) => patternOf(glob.slice(1)));
  const pathOf = (uri: vscode.Uri) => uri.path.slice(base.path.replace(/\/?$/, '/').length);
  const times = new FileTimes(timeOf);
  for (const glob of globs.filter((one) => !one.startsWith('!'))) {
    const pattern = patternOf(glob);
    const changed = (isSaved: boolean) => async (uri: vscode.Uri) => {
      const path = pathOf(uri);
      if (isIgnored(path, glob) || left.some((one) => matches(one, uri))) return;
      const wasHeeded = isHeeded();
      const file = uri.toString();
      const isNew = await (isSaved ? times.isNewSave(file) : times.isNewOnDisk(file));
      if (wasHeeded && (isSaved || isNew)) onChange({ path, isSaved, isNew });
    };
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(pattern));
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      store.add(event((uri) => void changed(false)(uri)));
    // Not every file system reports its changes, and a save in this window is certainly the user's.
    store.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (matches(pattern, uri)) void changed(true)(uri);
      }),
    );
  }
  return store;
}

/** Returns a glob from a configuration, relative to the folder. */
function fromFolder(glob: string): string {
  return glob.trim().replace(/^(?:\$\{workspaceFolder\}\/|\.\/)+/, '');
}

async function timeOf(file: string): Promise<number | undefined> {
  return vscode.workspace.fs.stat(vscode.Uri.parse(file)).then(
    ({ mtime }) => mtime,
    () => undefined,
  );
}
