import type * as vscode from 'vscode';
import { utf8 } from '../../base/bytes';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { Latest } from '../../base/async';
import { readableText } from '../../base/text/text';
import type { DocumentKind, MemoryFiles, MemoryFolder } from './memoryFiles';

/** The most folders of documents that are kept for one purpose, and the most bytes that they hold together. */
export const maxFolders = 20;
export const maxFolderBytes = 100_000_000;

/** In-memory folders for showing what a server sent, of which only the latest are kept. */
export class RecentFolders implements Disposable {
  private readonly files: MemoryFiles;
  private readonly kind: DocumentKind;
  private readonly store = new DisposableStore();
  private readonly latest = new Latest<MemoryFolder>(
    { maxItems: maxFolders, maxBytes: maxFolderBytes },
    (folder) => this.drop(folder),
  );
  private readonly documents = new Map<string, MemoryFolder>();

  constructor(files: MemoryFiles, kind: DocumentKind) {
    this.files = files;
    this.kind = kind;
  }

  /** Makes a new folder for these contents, removing the oldest ones to make room. */
  add(contents: readonly (Uint8Array | string)[]): MemoryFolder {
    const folder = this.store.add(this.files.createFolder(this.kind));
    this.makeRoom(folder, contents);
    return folder;
  }

  /** Returns the URI of a document for the text: the one about the same thing, if it is still kept, or a new one. */
  document(about: string, name: string, text: string): vscode.Uri {
    const key = JSON.stringify([about, name]);
    const folder = this.documents.get(key) ?? this.store.add(this.files.createFolder(this.kind));
    this.documents.set(key, folder);
    this.makeRoom(folder, [text]);
    return folder.add(name, text);
  }

  dispose(): void {
    this.store.dispose();
  }

  private makeRoom(folder: MemoryFolder, contents: readonly (Uint8Array | string)[]): void {
    const sizes = contents.map(
      (one) => (typeof one === 'string' ? utf8(readableText(one)) : one).length,
    );
    this.latest.add(
      folder,
      sizes.reduce((sum, size) => sum + size, 0),
    );
  }

  private drop(folder: MemoryFolder): void {
    this.store.delete(folder);
    for (const [key, kept] of this.documents) if (kept === folder) this.documents.delete(key);
  }
}
