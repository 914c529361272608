import * as vscode from 'vscode';
import { type Disposable, DisposableHolder, DisposableStore } from '../base/disposable';
import type { Logger } from '../base/log';
import type { Configuration } from '../config/configuration';
import type { Server } from '../mcp/server';
import { canonicalJson } from '../base/json';
import { FileRestarts, type SourceChange } from './fileRestarts';

/** At most this many times are kept; then all of them are discarded, which costs one restart at most. */
const maxFiles = 10_000;

interface KnownTime {
  readonly time: number | undefined;
  readonly byDisk: boolean;
}

/**
 * Tells new changes to files from repeated reports of the same change: the disk also reports each save,
 * before or after it.
 */
export class FileTimes {
  private readonly timeOf: (file: string) => Promise<number | undefined>;
  private readonly known = new Map<string, KnownTime>();

  /** @param timeOf returns when a file was last changed; `undefined` if that is unknown. */
  constructor(timeOf: (file: string) => Promise<number | undefined>) {
    this.timeOf = timeOf;
  }

  /** True unless the change that the disk reports has already been reported. */
  async isNewOnDisk(file: string): Promise<boolean> {
    const time = await this.timeOf(file);
    const known = this.known.get(file);
    if (known && known.time === time) return false;
    this.keep(file, { time, byDisk: true });
    return true;
  }

  /**
   * True unless the disk has already reported the save; two saves always count as two, however coarse the
   * file times are.
   */
  async isNewSave(file: string): Promise<boolean> {
    const time = await this.timeOf(file);
    const known = this.known.get(file);
    this.keep(file, { time, byDisk: false });
    return !known?.byDisk || time === undefined || known.time !== time;
  }

  private keep(file: string, time: KnownTime): void {
    if (this.known.size >= maxFiles) this.known.clear();
    this.known.set(file, time);
  }
}

/** Folders of installed, cached, or generated files, whose changes are not changes to the source. */
const ignoredFolders = new Set([
  '.git',
  '.hg',
  '.mypy_cache',
  '.next',
  '.pytest_cache',
  '.svn',
  '.turbo',
  '.venv',
  '__pycache__',
  'build',
  'coverage',
  'dist',
  'node_modules',
  'out',
  'target',
  'venv',
]);

/** True if a path, relative to the watched folder, is in an ignored folder that the glob does not name. */
export function isIgnored(path: string, glob: string): boolean {
  const named = new Set(glob.split('/'));
  return path
    .split('/')
    .slice(0, -1)
    .some((step) => ignoredFolders.has(step) && !named.has(step));
}

/** Receives the changes to files that happen while they are heeded. */
interface ChangeListener {
  readonly isHeeded: () => boolean;
  readonly changed: (change: SourceChange) => void;
}

/** Calls back for each change to a file that globs match in a folder; globs that begin with `!` exclude files. */
function watchFiles(
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
  const times = new FileTimes(changeTime);
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

async function changeTime(file: string): Promise<number | undefined> {
  return vscode.workspace.fs.stat(vscode.Uri.parse(file)).then(
    ({ mtime }) => mtime,
    () => undefined,
  );
}

/** Restarts one server when the files that its configuration watches change. */
export class DevelopedServer implements Disposable {
  private readonly server: Server;
  private readonly configuration: Configuration;
  private readonly store = new DisposableStore();
  private readonly watching = this.store.add(new DisposableHolder<Disposable>());
  private readonly restarts: FileRestarts;
  private watched = '';

  constructor(
    server: Server,
    deps: {
      readonly configuration: Configuration;
      readonly log: Logger;
      readonly onDidChangeHold: () => void;
    },
  ) {
    this.server = server;
    this.configuration = deps.configuration;
    this.restarts = this.store.add(
      new FileRestarts({
        isUp: () => server.state.kind !== 'stopped',
        now: () => Date.now(),
        onDidChangeHold: deps.onDidChangeHold,
        restart: async (path) => {
          deps.log.info(`${path} changed: restarting.`);
          await server.stop();
          await server.start();
        },
      }),
    );
    this.store.add(deps.configuration.onDidChange(() => this.watch()));
    this.store.add(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.watched = '';
        this.watch();
      }),
    );
    this.watch();
  }

  /** The file that changed so often that restarts are on hold; `undefined` if they are not. */
  get heldBy(): string | undefined {
    return this.restarts.heldBy;
  }

  /** Discards the changes so far, because the server is being restarted for another reason. */
  forget(): void {
    this.restarts.forget();
  }

  dispose(): void {
    this.store.dispose();
  }

  private watch(): void {
    const { definition } = this.server;
    const globs = this.configuration.get(definition.id)?.development?.watch ?? [];
    const now = canonicalJson(globs);
    if (now === this.watched) return;
    this.watched = now;
    this.restarts.resume();
    const base = baseOf(definition);
    this.watching.value =
      base && globs.length > 0
        ? watchFiles(base, globs, {
            isHeeded: () => this.restarts.isHeeded,
            changed: (change) => this.restarts.changed(change),
          })
        : undefined;
  }
}

/**
 * Returns the folder that globs are relative to: the one that the server is configured in, or the first one
 * that is open.
 */
export function baseOf({ folder }: Server['definition']): vscode.Uri | undefined {
  if (folder !== undefined) return vscode.Uri.parse(folder);
  return vscode.workspace.workspaceFolders?.[0]?.uri;
}
