import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { SourceChange } from './fileRestarts';
import { isIgnored } from './ignored';

/** The times of so many files are known; beyond, all are forgotten, which costs a restart at most. */
const maxSeen = 10_000;

/** Takes the changes of files that come while they are heeded. */
interface ChangeListener {
  readonly isHeeded: () => boolean;
  readonly changed: (change: SourceChange) => void;
}

/** Calls back for each change of a file that globs from a folder find; those that begin with `!` leave files out. */
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
  const seen = new SeenTimes();
  for (const glob of globs.filter((one) => !one.startsWith('!'))) {
    const pattern = patternOf(glob);
    const changed = (isSaved: boolean) => async (uri: vscode.Uri) => {
      const path = pathOf(uri);
      if (isIgnored(path, glob) || left.some((one) => matches(one, uri))) return;
      const wasHeeded = isHeeded();
      // What was saved is reported again from the disk, at once or seconds later.
      const isNew = seen.isNew(uri);
      if (wasHeeded && (isSaved || (await isNew))) onChange({ path, isSaved });
    };
    const watcher = store.add(vscode.workspace.createFileSystemWatcher(pattern));
    for (const event of [watcher.onDidCreate, watcher.onDidChange, watcher.onDidDelete])
      store.add(event((uri) => void changed(false)(uri)));
    // Not every file system reports its changes, and what is saved here is nobody else's.
    store.add(
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        if (matches(pattern, uri)) void changed(true)(uri);
      }),
    );
  }
  return store;
}

/** A glob as it is written in a configuration, from the folder. */
function fromFolder(glob: string): string {
  return glob.trim().replace(/^(?:\$\{workspaceFolder\}\/|\.\/)+/, '');
}

/** When files were changed last, as far as anything was heard of them. */
class SeenTimes {
  private readonly times = new Map<string, number | undefined>();

  /** True where a file is another than when it was asked about last. */
  async isNew(uri: vscode.Uri): Promise<boolean> {
    const key = uri.toString();
    const time = await vscode.workspace.fs.stat(uri).then(
      ({ mtime }) => mtime,
      () => undefined,
    );
    if (this.times.has(key) && this.times.get(key) === time) return false;
    if (this.times.size >= maxSeen) this.times.clear();
    this.times.set(key, time);
    return true;
  }
}
