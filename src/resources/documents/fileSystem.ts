import * as vscode from 'vscode';
import { plainMarkdown } from '../../ui/rows/chatText';
import { utf8 } from '../../base/bytes';
import { type Disposable, DisposableStore, toDisposable } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { nameAndType } from '../../base/text/fileName';
import type { Servers } from '../../mcp/server';
import { standIn } from '../../ui/documents/memoryFiles';
import { resourceScheme } from '../../ui/ids';
import { watchServers } from '../../ui/watchServers';
import type { ResourceDocument } from './resourceDocument';
import { tabUris } from '../live/openTabs';
import { type ResourceReading, type ResourceStore, refKey } from './resourceStore';
import {
  type ResourceLocation,
  type ResourceRef,
  parseResourceUri,
  toResourceUri,
  toVariantUri,
} from '../../ui/resourceUri';
import { formatBytes } from '../../base/text/text';

const perLine = 16;
const limit = 1_000_000;

/** Returns bytes as lines of text: offset, sixteen bytes in hexadecimal, and the printable ones as characters. */
export function hexDump(bytes: Uint8Array): string {
  const shown = Math.min(bytes.length, limit);
  const lines: string[] = [];
  for (let at = 0; at < shown; at += perLine) {
    const line = bytes.subarray(at, Math.min(at + perLine, shown));
    const hex = Array.from(line, (byte) => byte.toString(16).padStart(2, '0'));
    const left = hex.slice(0, perLine / 2).join(' ');
    const right = hex.slice(perLine / 2).join(' ');
    const text = Array.from(line, printable).join('');
    lines.push(
      `${at.toString(16).padStart(8, '0')}  ${left.padEnd(24)} ${right.padEnd(24)} |${text}|`,
    );
  }
  if (shown < bytes.length) lines.push(`… ${formatBytes(bytes.length - shown)}`);
  return `${lines.join('\n')}\n`;
}

function printable(byte: number): string {
  return byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.';
}

/** Offers resources to the editor as a read-only file system under our scheme. */
export function registerFileSystem(servers: Servers, store: ResourceStore): Disposable {
  const disposables = new DisposableStore();
  const changed = disposables.add(new vscode.EventEmitter<vscode.FileChangeEvent[]>());
  disposables.add(
    store.onDidChange((ref) => {
      const documents = store.peek(ref)?.documents ?? [];
      const uris = [
        toResourceUri(ref),
        toResourceUri(ref, ''),
        ...documents.map(({ name }) => toResourceUri(ref, name)),
      ];
      const all = [...uris, ...uris.map((uri) => toVariantUri(uri, 'previous')), ...shownOf(ref)];
      changed.fire(all.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
    }),
  );
  const provider = new ResourceFileSystem(store, changed.event);
  disposables.add(
    watchServers(servers, (server) =>
      server.onDidChangeState(() => {
        if (server.state.kind !== 'running') return;
        const uris = provider.takeStandIns(server.id);
        changed.fire(uris.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
      }),
    ),
  );
  disposables.add(
    vscode.workspace.registerFileSystemProvider(resourceScheme, provider, {
      isCaseSensitive: true,
      isReadonly: plainMarkdown(
        vscode.l10n.t('This document comes from an MCP server and is read-only.'),
      ),
    }),
  );
  return disposables;
}

class ResourceFileSystem implements vscode.FileSystemProvider {
  readonly onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>;
  private readonly store: ResourceStore;
  /** The documents that show why they could not be read. */
  private readonly standIns = new Map<string, vscode.Uri>();

  constructor(store: ResourceStore, onDidChangeFile: vscode.Event<vscode.FileChangeEvent[]>) {
    this.store = store;
    this.onDidChangeFile = onDidChangeFile;
  }

  /** Returns the documents of a server that show why they could not be read, to read them again. */
  takeStandIns(serverId: string): readonly vscode.Uri[] {
    const uris = [...this.standIns.values()].filter((uri) => locate(uri).serverId === serverId);
    for (const uri of uris) this.standIns.delete(uri.toString());
    return uris;
  }

  // Changes come from subscriptions to the resources of open tabs, hidden ones included.
  watch(): vscode.Disposable {
    return toDisposable(() => {});
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const location = locate(uri);
    if (location.name === '') return folderStat;
    const unread = this.statUnread(location);
    if (unread) return unread;
    const { bytes, changedAt } = await this.show(uri, location);
    return fileStat(bytes.length, changedAt);
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    const { bytes } = await this.show(uri, locate(uri));
    return bytes;
  }

  async readDirectory(uri: vscode.Uri): Promise<[string, vscode.FileType][]> {
    const location = locate(uri);
    if (location.name !== '') throw vscode.FileSystemError.FileNotADirectory(uri);
    const { documents } = await this.read(location);
    return documents.map(({ name }) => [name, vscode.FileType.File]);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  /**
   * Finds what a document shows. A tab of an earlier session, which nothing was read for in this one, gets the reason
   * as its text: of an error, the editor says only that it could not open the document.
   */
  private async show(
    uri: vscode.Uri,
    location: ResourceLocation,
  ): Promise<{ readonly bytes: Uint8Array; readonly changedAt: number }> {
    try {
      const { document, changedAt } = await this.find(uri, location);
      return { bytes: view(document, location), changedAt };
    } catch (error) {
      const isShown = tabUris().some((open) => open.toString() === uri.toString());
      if (!isShown || this.store.peek(location)) throw error;
      this.standIns.set(uri.toString(), uri);
      return { bytes: standIn(uri.path, errorMessage(error, vscode.l10n.t)), changedAt: 0 };
    }
  }

  // A size from the list saves a read; after a read, only the reading can tell that something changed.
  private statUnread(location: ResourceLocation): vscode.FileStat | undefined {
    if (location.variant ?? this.store.peek(location)) return undefined;
    const listed = this.store.listed(location);
    if (listed?.size === undefined) return undefined;
    return fileStat(listed.size, Date.parse(listed.annotations?.lastModified ?? '') || 0);
  }

  private async find(
    uri: vscode.Uri,
    location: ResourceLocation,
  ): Promise<{ readonly document: ResourceDocument; readonly changedAt: number }> {
    const before = location.variant === 'previous';
    const reading = before ? this.store.peek(location)?.previous : await this.read(location);
    const { documents = [], changedAt = 0 } = reading ?? {};
    const document =
      documents.length === 1
        ? documents[0]
        : (documents.find(({ name }) => name === location.name) ??
          documents.find(
            ({ name, kind }) => kind === 'image' && nameAndType(name) === location.name,
          ));
    if (!document) throw vscode.FileSystemError.FileNotFound(uri);
    return { document, changedAt };
  }

  private read(location: ResourceLocation): Promise<ResourceReading> {
    return orUnavailable(() => this.store.read(location));
  }
}

async function orUnavailable<T>(find: () => T | Promise<T>): Promise<T> {
  try {
    return await find();
  } catch (error) {
    throw vscode.FileSystemError.Unavailable(errorMessage(error, vscode.l10n.t));
  }
}

/** Returns what the editor shows of a resource: a link or a row may have opened it before its name was known. */
function shownOf(ref: ResourceRef): readonly vscode.Uri[] {
  const open = vscode.workspace.textDocuments.map(({ uri }) => uri);
  return [...open, ...tabUris()].filter((uri) => {
    const location = parseResourceUri(uri);
    return location && refKey(location) === refKey(ref);
  });
}

function view({ bytes }: ResourceDocument, { variant }: ResourceLocation): Uint8Array {
  return variant === 'hex' ? utf8(hexDump(bytes)) : bytes;
}

function locate(uri: vscode.Uri): ResourceLocation {
  const location = parseResourceUri(uri);
  if (!location) throw vscode.FileSystemError.FileNotFound(uri);
  return location;
}

const folderStat: vscode.FileStat = {
  type: vscode.FileType.Directory,
  ctime: 0,
  mtime: 0,
  size: 0,
  permissions: vscode.FilePermission.Readonly,
};

function fileStat(size: number, mtime: number): vscode.FileStat {
  return {
    type: vscode.FileType.File,
    ctime: 0,
    mtime,
    size,
    permissions: vscode.FilePermission.Readonly,
  };
}
