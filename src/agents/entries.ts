import * as vscode from 'vscode';
import { Throttle } from '../base/async';
import { DisposableStore, type Disposable } from '../base/disposable';
import { sha256Hex } from '../base/hash';
import { Emitter } from '../base/event';
import { isRecord } from '../base/json';
import type { PrivateFiles } from '../mcp/platform';
import type { AgentHello } from '../mcp/serving/agentPort';
import type { Resource, ResourceTemplate } from '../mcp/protocol/types';
import type { Server, Servers } from '../mcp/server';
import { maxOwnBytes, readFileInUtf8 } from '../ui/documents/readTextFile';
import { watchServers } from '../ui/watchServers';

/** What stands before the URI of a resource that several servers have; the server's id follows. */
const prefix = 'mcp-workbench:/';

/** The addresses of resources as agents know them: their own where one server has them, else with that server in front. */
export class AgentAddresses {
  private readonly servers: Servers;

  constructor(servers: Servers) {
    this.servers = servers;
  }

  get resources(): readonly Resource[] {
    const owners = countOwners(this.servers.all, ({ resources }) => resources.items, uriOf);
    return this.servers.all.flatMap((server) =>
      server.resources.items.map((one) =>
        owners.get(one.uri) === 1 && !one.uri.startsWith(prefix)
          ? one
          : { ...one, uri: addressOf(server, one.uri) },
      ),
    );
  }

  get templates(): readonly ResourceTemplate[] {
    const owners = countOwners(
      this.servers.all,
      ({ resourceTemplates }) => resourceTemplates.items,
      templateOf,
    );
    return this.servers.all.flatMap((server) =>
      server.resourceTemplates.items.map((one) =>
        owners.get(one.uriTemplate) === 1 && !one.uriTemplate.startsWith(prefix)
          ? one
          : { ...one, uriTemplate: addressOf(server, one.uriTemplate) },
      ),
    );
  }

  /**
   * Finds the server of an address, or of a template, and the URI there: the one that is named, the only one that lists
   * it, or the only one with a template that begins like it. `undefined` if that does not tell.
   */
  find(address: string): { readonly server: Server; readonly uri: string } | undefined {
    const all = this.servers.all;
    if (address.startsWith(prefix)) {
      const rest = address.slice(prefix.length);
      const server = all.find((one) => rest.startsWith(`${encodeURIComponent(one.id)}/`));
      return server && { server, uri: rest.slice(encodeURIComponent(server.id).length + 1) };
    }
    const having = (has: (server: Server) => boolean) => {
      const owners = all.filter(has);
      return owners.length === 1 ? owners[0] : undefined;
    };
    const server =
      having(({ resources }) => resources.items.some(({ uri }) => uri === address)) ??
      having(({ resourceTemplates }) =>
        resourceTemplates.items.some(({ uriTemplate }) => startsAs(address, uriTemplate)),
      );
    return server && { server, uri: address };
  }
}

/** True if an address begins with all that stands before the first variable of a template, and that is something. */
function startsAs(address: string, template: string): boolean {
  const [start = ''] = template.split('{', 1);
  return address === template || (start.length > 0 && address.startsWith(start));
}

function addressOf({ id }: Server, uri: string): string {
  return `${prefix}${encodeURIComponent(id)}/${uri}`;
}

const uriOf = ({ uri }: Resource) => uri;
const templateOf = ({ uriTemplate }: ResourceTemplate) => uriTemplate;

function countOwners<T>(
  servers: readonly Server[],
  itemsOf: (server: Server) => readonly T[],
  keyOf: (item: T) => string,
): ReadonlyMap<string, number> {
  const owners = new Map<string, number>();
  for (const server of servers)
    for (const key of new Set(itemsOf(server).map(keyOf)))
      owners.set(key, (owners.get(key) ?? 0) + 1);
  return owners;
}

/** The shortest time between two announcements of a change, in milliseconds. */
const announceEveryMs = 200;

/** Calls `changed` for each kind of list of the servers that has other entries, with all changes of a moment at once. */
export function watchLists(
  servers: Servers,
  changed: (kind: 'tools' | 'prompts' | 'resources') => void,
): Disposable {
  const lists = (): readonly unknown[][] => [
    servers.all.map(({ tools }) => tools.items),
    servers.all.map(({ prompts }) => prompts.items),
    servers.all.flatMap(({ resources, resourceTemplates }) => [
      resources.items,
      resourceTemplates.items,
    ]),
  ];
  const store = new DisposableStore();
  let announced = lists();
  const announceChanges = () => {
    const before = announced;
    announced = lists();
    for (const [at, kind] of (['tools', 'prompts', 'resources'] as const).entries()) {
      const [was, is] = [before[at] ?? [], announced[at] ?? []];
      if (was.length !== is.length || was.some((items, index) => items !== is[index]))
        changed(kind);
    }
  };
  const announce = store.add(new Throttle(announceChanges, announceEveryMs));
  store.add(servers.onDidChange(() => announce.run()));
  store.add(
    watchServers(servers, ({ tools, prompts, resources, resourceTemplates }) => {
      const ofServer = new DisposableStore();
      for (const { onDidChange } of [tools, prompts, resources, resourceTemplates])
        ofServer.add(onDidChange(() => announce.run()));
      return ofServer;
    }),
  );
  return store;
}

/** The entry of one agent in the configuration of its application. */
export interface AgentEntry {
  readonly id: string;
  /** The application that it was written for, as users know it. */
  readonly label: string;
  /** The file that it stands in; absent if the user has put it elsewhere. */
  readonly file?: string;
  /** The port of this machine that it was made for; absent for an agent that starts a program. */
  readonly httpPort?: number;
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
  private readonly removed = new Emitter<string>();
  /** Fires with the id of one that was removed, by this window or another. */
  readonly onDidRemove = this.removed.event;
  private readonly changed = new Emitter<void>();
  /** Fires when one was added or removed, as far as this window knows. */
  readonly onDidChange = this.changed.event;

  constructor(folder: vscode.Uri, files: AgentEntries['files']) {
    this.folder = folder;
    this.files = files;
  }

  /** Makes the id and the secret of a new entry, of which nothing is kept until {@link AgentEntries.add}. */
  create(about: Pick<AgentEntry, 'label' | 'file' | 'httpPort'>): {
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
    this.noteChange();
  }

  /** Says that an entry was added, by this window or another. */
  noteChange(): void {
    this.changed.fire();
  }

  /** Says that the file of an entry was deleted, as another window does that removes one. */
  async noteDeleted({ path }: vscode.Uri): Promise<void> {
    const id = path.slice(path.lastIndexOf('/') + 1).replace(/\.json$/, '');
    // All that was allowed to it is forgotten: not for a file that was only replaced.
    if (!(await this.get(id))) this.noteRemoved(id);
  }

  /** Nobody is let in with this entry any longer, in any window. */
  async remove(entry: AgentEntry): Promise<void> {
    await vscode.workspace.fs.delete(this.fileOf(entry.id));
    this.noteRemoved(entry.id);
  }

  /** Removes the entries that were made for a port, whose secrets another program may have got there; returns them. */
  async removeOfPort(port: number): Promise<readonly AgentEntry[]> {
    const ofPort = (await this.all()).filter(({ httpPort }) => httpPort === port);
    for (const entry of ofPort) await this.remove(entry);
    return ofPort;
  }

  /** Returns an entry as any window has written it; `undefined` if there is none. */
  async get(id: string): Promise<AgentEntry | undefined> {
    // An id is part of a path here, and comes from whoever wants in.
    if (!/^[\da-f-]{36}$/.test(id)) return undefined;
    try {
      const entry: unknown = JSON.parse(await readFileInUtf8(this.fileOf(id), maxOwnBytes));
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

  /**
   * Returns the entry whose id and secret were given; `undefined` if they do not belong together, or if it comes over
   * HTTP and was not made for that.
   */
  async admitted({ entry: id, secret, isHttp }: AgentHello): Promise<AgentEntry | undefined> {
    const entry = await this.get(id);
    // The socket is for this account and hidden from confined servers; the port is there for every program.
    if (!entry || (isHttp && entry.httpPort === undefined)) return undefined;
    return isSame(entry.secretHash, sha256Hex(secret)) ? entry : undefined;
  }

  private noteRemoved(id: string): void {
    this.removed.fire(id);
    this.noteChange();
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
