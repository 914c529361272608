import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly editable: boolean;
  readonly mtime: number;
}

/** A folder of files that exist in this window only; disposing it removes them. */
export interface MemoryFolder extends Disposable {
  /** Adds a file, replacing one with the same name; `name` is one path segment. */
  add(
    name: string,
    content: Uint8Array | string,
    options?: { readonly editable?: boolean },
  ): vscode.Uri;
  /** Adds a read-only file that has the contents of `target` whenever it is read. */
  link(name: string, target: vscode.Uri): void;
  /** True for documents of this folder. */
  readonly contains: (uri: vscode.Uri) => boolean;
}

/** An in-memory file system for documents that the user reads or edits along the way. */
export class MemoryFiles implements vscode.FileSystemProvider, Disposable {
  readonly scheme: string;
  private readonly store = new DisposableStore();
  private readonly files = new Map<string, MemoryFile>();
  private readonly links = new Map<string, vscode.Uri>();
  private readonly changed = this.store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  // Different in every session, because the editor may restore documents of an earlier one.
  private readonly session = Date.now().toString(36);
  private nextFolder = 1;

  readonly onDidChangeFile = this.changed.event;

  private readonly read = this.store.add(new vscode.EventEmitter<vscode.Uri>());

  /** Fires when the editor or an extension reads a file. */
  readonly onDidRead = this.read.event;

  constructor(scheme: string) {
    this.scheme = scheme;
    this.store.add(
      vscode.workspace.registerFileSystemProvider(scheme, this, { isCaseSensitive: true }),
    );
  }

  /** Makes an empty folder with a unique name. */
  createFolder(): MemoryFolder {
    const folder = vscode.Uri.from({
      scheme: this.scheme,
      authority: `${this.session}-${this.nextFolder++}`,
      path: '/',
    });
    const contains = (uri: vscode.Uri) =>
      uri.scheme === this.scheme && uri.authority === folder.authority;
    return {
      contains,
      add: (name, content, { editable = false } = {}) => {
        const uri = vscode.Uri.joinPath(folder, name);
        const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
        this.put(uri, { bytes, editable, mtime: Date.now() });
        return uri;
      },
      link: (name, target) => {
        this.links.set(keyOf(vscode.Uri.joinPath(folder, name)), target);
      },
      dispose: () => {
        const all = folder.toString();
        for (const map of [this.files, this.links])
          for (const key of map.keys()) if (key.startsWith(all)) map.delete(key);
      },
    };
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => {});
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const target = this.links.get(keyOf(uri));
    if (target)
      return {
        ...(await vscode.workspace.fs.stat(target)),
        permissions: vscode.FilePermission.Readonly,
      };
    const file = this.files.get(keyOf(uri));
    if (!file) {
      if (this.entries(uri).length === 0) throw vscode.FileSystemError.FileNotFound(uri);
      return { type: vscode.FileType.Directory, ctime: 0, mtime: 0, size: 0 };
    }
    const { bytes, editable, mtime } = file;
    return {
      type: vscode.FileType.File,
      ctime: 0,
      mtime,
      size: bytes.length,
      ...(!editable && { permissions: vscode.FilePermission.Readonly }),
    };
  }

  readDirectory(uri: vscode.Uri): [string, vscode.FileType][] {
    return this.entries(uri).map((name) => [name, vscode.FileType.File]);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const target = this.links.get(keyOf(uri));
    this.read.fire(uri);
    return target ? vscode.workspace.fs.readFile(target) : this.bytesOf(uri);
  }

  /** The bytes of a file that was added, as they were last saved. */
  bytesOf(uri: vscode.Uri): Uint8Array {
    const file = this.files.get(keyOf(uri));
    if (!file) throw vscode.FileSystemError.FileNotFound(uri);
    return file.bytes;
  }

  writeFile(uri: vscode.Uri, bytes: Uint8Array): void {
    const file = this.files.get(keyOf(uri));
    if (!file) throw vscode.FileSystemError.FileNotFound(uri);
    if (!file.editable) throw vscode.FileSystemError.NoPermissions(uri);
    this.put(uri, { ...file, bytes, mtime: Math.max(Date.now(), file.mtime + 1) });
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.store.dispose();
    this.files.clear();
    this.links.clear();
  }

  private put(uri: vscode.Uri, file: MemoryFile): void {
    const type = this.files.has(keyOf(uri))
      ? vscode.FileChangeType.Changed
      : vscode.FileChangeType.Created;
    this.files.set(keyOf(uri), file);
    this.changed.fire([{ type, uri }]);
  }

  private entries(folder: vscode.Uri): readonly string[] {
    const prefix = folder.toString().replace(/\/?$/, '/');
    return [...this.files.keys(), ...this.links.keys()]
      .filter((key) => key.startsWith(prefix))
      .map((key) => decodeURIComponent(key.slice(prefix.length)));
  }
}

/** Returns the key of a file, without the version that the editor's previews add to its address. */
function keyOf(uri: vscode.Uri): string {
  return uri.with({ query: '', fragment: '' }).toString();
}
