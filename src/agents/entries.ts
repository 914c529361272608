import * as vscode from 'vscode';
import { sha256Hex } from '../base/bytes/hash';
import { Emitter } from '../base/event';
import { isRecord } from '../base/json';
import type { PrivateFiles } from '../mcp/platform';
import type { AgentHello } from '../mcp/serving/agentPort';

/** The entry of one agent in the configuration of its application. */
export interface AgentEntry {
  readonly id: string;
  /** The application that it was written for, as users know it. */
  readonly label: string;
  /** The file that it stands in; absent if the user has put it elsewhere. */
  readonly file?: string;
  /** The SHA-256 of its secret, which only that file has. */
  readonly secretHash: string;
  /** Epoch ms. */
  readonly createdAt: number;
}

/** A secret has this many random bytes. */
const secretBytes = 32;

/** The entries that were given to agents, each in a file of its own: all windows of this account share them. */
export class AgentEntries {
  private readonly folder: vscode.Uri;
  private readonly files: Pick<PrivateFiles, 'makeFolder' | 'write'>;
  private readonly removed = new Emitter<AgentEntry>();
  /** Fires when this window has removed one. */
  readonly onDidRemove = this.removed.event;

  constructor(folder: vscode.Uri, files: AgentEntries['files']) {
    this.folder = folder;
    this.files = files;
  }

  /** Makes the id and the secret of a new entry, of which nothing is kept until {@link AgentEntries.add}. */
  create(about: Pick<AgentEntry, 'label' | 'file'>): {
    readonly entry: AgentEntry;
    readonly secret: string;
  } {
    const bytes = crypto.getRandomValues(new Uint8Array(secretBytes));
    const secret = btoa(String.fromCharCode(...bytes)).replaceAll(/[+/=]/g, (sign) =>
      sign === '+' ? '-' : sign === '/' ? '_' : '',
    );
    const entry = {
      id: crypto.randomUUID(),
      ...about,
      secretHash: sha256Hex(secret),
      createdAt: Date.now(),
    };
    return { entry, secret };
  }

  /** Lets in whoever has the secret of this entry from now on. */
  async add(entry: AgentEntry): Promise<void> {
    await this.files.makeFolder(this.folder);
    await this.files.write(this.fileOf(entry.id), JSON.stringify(entry));
  }

  /** Nobody is let in with this entry any longer, in any window. */
  async remove(entry: AgentEntry): Promise<void> {
    await vscode.workspace.fs.delete(this.fileOf(entry.id));
    this.removed.fire(entry);
  }

  /** Returns an entry as any window has written it; `undefined` if there is none. */
  async get(id: string): Promise<AgentEntry | undefined> {
    // An id is part of a path here, and comes from whoever wants in.
    if (!/^[\da-f-]{36}$/.test(id)) return undefined;
    try {
      const bytes = await vscode.workspace.fs.readFile(this.fileOf(id));
      const entry: unknown = JSON.parse(new TextDecoder().decode(bytes));
      return isEntry(entry) && entry.id === id ? entry : undefined;
    } catch {
      return undefined;
    }
  }

  /** Returns all entries, the latest first. */
  async all(): Promise<readonly AgentEntry[]> {
    const listed = Promise.resolve(vscode.workspace.fs.readDirectory(this.folder));
    const names = await listed.catch(() => []);
    const entries = await Promise.all(names.map(([name]) => this.get(name.replace(/\.json$/, ''))));
    return entries.flatMap((entry) => entry ?? []).toSorted((a, b) => b.createdAt - a.createdAt);
  }

  /** Returns the entry whose id and secret were given; `undefined` if they do not belong together. */
  async admitted({ entry: id, secret }: AgentHello): Promise<AgentEntry | undefined> {
    const entry = await this.get(id);
    return entry && isSame(entry.secretHash, sha256Hex(secret)) ? entry : undefined;
  }

  private fileOf(id: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder, `${id}.json`);
  }
}

/** Compares two hashes in a time that does not depend on where they differ. */
function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let at = 0; at < a.length; at += 1) difference |= a.charCodeAt(at) ^ b.charCodeAt(at);
  return difference === 0;
}

function isEntry(value: unknown): value is AgentEntry {
  return (
    isRecord(value) &&
    typeof value['id'] === 'string' &&
    typeof value['label'] === 'string' &&
    typeof value['secretHash'] === 'string' &&
    typeof value['createdAt'] === 'number'
  );
}
