import * as vscode from 'vscode';
import { maxDocumentBytes, readFileBytes } from './readTextFile';
import { utf8 } from '../../base/bytes';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { plainLabel, readableText } from '../../base/text/text';

/** What a document is, in words of its address: after a reload, they are all that is left of it. */
export type DocumentKind = keyof typeof lostDocuments;

// Read when the text is gone: what it was, and how to get it again.
const lostDocuments = {
  question: () =>
    vscode.l10n.t(
      'It was part of a question, which ended with the window. What you typed is offered when the same is asked again.',
    ),
  result: () =>
    vscode.l10n.t('It was the result of a tool. To get it again, run the tool from the tool log.'),
  prompt: () => vscode.l10n.t('It was a file of a prompt. To get it again, run the prompt.'),
  log: () => vscode.l10n.t('It was an entry of the tool log. Open it again from there.'),
  statistics: () =>
    vscode.l10n.t('It had figures of tool calls. Select Show Statistics to read the log again.'),
  traffic: () => vscode.l10n.t('It was a message of the traffic. Messages are not kept.'),
  skill: () => vscode.l10n.t('It was made for a skill. To get it again, use the skill.'),
  changes: () => vscode.l10n.t('It compared what a server offered before and after a change.'),
  app: () => vscode.l10n.t('It was the source of an app. To see it again, open the app.'),
  context: () => vscode.l10n.t('It was what an app wanted models to know.'),
  report: () => vscode.l10n.t('It was a report about a server. To get a new one, run the check.'),
};

interface MemoryFile {
  readonly bytes: Uint8Array;
  readonly editable: boolean;
  readonly mtime: number;
}

/** A folder of files that exist in this window only; disposing it removes them. */
export interface MemoryFolder extends Disposable {
  /**
   * Adds a text, replacing a file with the same name; `name` is one path segment. Hidden characters are made visible in
   * it, unless the user may edit it.
   */
  add(name: string, text: string, options?: { readonly editable?: boolean }): vscode.Uri;
  /** Adds a file as {@link add} does, but with exactly these bytes, such as an image; whatever is hidden in it stays. */
  addBytes(name: string, bytes: Uint8Array): vscode.Uri;
  /** Adds a read-only file that has the contents of `target` whenever it is read. */
  link(name: string, target: vscode.Uri): void;
  /** True for documents of this folder. */
  readonly contains: (uri: vscode.Uri) => boolean;
}

/** Adds a file to a folder: one of text for users to read, one of bytes as it is. */
export function addFile(
  folder: MemoryFolder,
  { name, content }: { readonly name: string; readonly content: Uint8Array | string },
): vscode.Uri {
  return typeof content === 'string' ? folder.add(name, content) : folder.addBytes(name, content);
}

/** An in-memory file system for documents that the user reads or edits along the way. */
export class MemoryFiles implements vscode.FileSystemProvider, Disposable {
  readonly scheme: string;
  private readonly store = new DisposableStore();
  private readonly files = new Map<string, MemoryFile>();
  private readonly links = new Map<string, vscode.Uri>();
  private readonly changed = this.store.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  private readonly folders = new Set<string>();
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

  /** Makes an empty folder with a unique name, for documents of this kind. */
  createFolder(kind: DocumentKind): MemoryFolder {
    const folder = vscode.Uri.from({
      scheme: this.scheme,
      authority: `${this.session}-${this.nextFolder++}-${kind}`,
      path: '/',
    });
    this.folders.add(folder.authority);
    const contains = (uri: vscode.Uri) =>
      uri.scheme === this.scheme && uri.authority === folder.authority;
    const put = (name: string, bytes: Uint8Array, editable: boolean) => {
      const uri = vscode.Uri.joinPath(folder, name);
      this.put(uri, { bytes, editable, mtime: Date.now() });
      return uri;
    };
    return {
      contains,
      add: (name, text, { editable = false } = {}) =>
        put(name, utf8(editable ? text : readableText(text)), editable),
      addBytes: (name, bytes) => put(name, bytes, false),
      link: (name, target) => {
        this.links.set(keyOf(vscode.Uri.joinPath(folder, name)), target);
      },
      dispose: () => {
        this.folders.delete(folder.authority);
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
    const file = this.find(uri);
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
    return target ? readFileBytes(target, maxDocumentBytes) : this.bytesOf(uri);
  }

  /** The bytes of a file that was added, as they were last saved. */
  bytesOf(uri: vscode.Uri): Uint8Array {
    const file = this.find(uri);
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

  // The editor says of a file that is missing only that it could not be opened.
  private find(uri: vscode.Uri): MemoryFile | undefined {
    const lost = !this.folders.has(uri.authority) && lostText(uri);
    return lost ? { bytes: lost, editable: false, mtime: 0 } : this.files.get(keyOf(uri));
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

/** Returns what stands in for a document whose folder is gone; `undefined` if it can be none of ours. */
function lostText({ authority, path }: vscode.Uri): Uint8Array | undefined {
  const [, kind = ''] = /^[0-9a-z]+-\d+-([a-z]+)$/.exec(authority) ?? [];
  const [, name] = /^\/([^/]+)$/.exec(path) ?? [];
  if (name === undefined || !Object.hasOwn(lostDocuments, kind)) return undefined;
  const what = vscode.l10n.t(
    'The text of “{0}” was kept only until its window was closed or reloaded.',
    plainLabel(name, 100),
  );
  return standIn(name, `${what} ${lostDocuments[kind as DocumentKind]()}`);
}

/**
 * Returns sentences as the bytes of a document that has nothing else to show: one a line, as most editors do not wrap,
 * and in the syntax that its name promises.
 */
export function standIn(name: string, text: string): Uint8Array {
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(text)];
  const lines = sentences.map(({ segment }) => segment.trim());
  return utf8(
    name.endsWith('.json') ? JSON.stringify(lines, undefined, 2) : `${lines.join('\n')}\n`,
  );
}

/** Returns the key of a file, without the version that the editor's previews add to its address. */
function keyOf(uri: vscode.Uri): string {
  return uri.with({ query: '', fragment: '' }).toString();
}
