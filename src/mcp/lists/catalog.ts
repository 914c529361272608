import type { Disposable } from '../../base/disposable';
import type { Translate } from '../../base/translate';
import type { ReadEntry } from '../protocol/entries';
import type { Tool } from '../protocol/types';
import { scanParamHeaders } from '../session/paramHeaders';
import type { Session } from '../session/session';
import { type ListKind, type ListSpec, type Lists, listKinds, listSpecs } from './listSpecs';
import { ServerList } from './serverList';
import type { Era } from '../protocol/revisions';

/** What is kept about a server between sessions, so that its lists are available before it runs. */
export interface RememberedServer {
  readonly snapshot: Snapshot;
  readonly era: Era;
  /** When this was learned, in epoch milliseconds. */
  readonly savedAt: number;
}

/** Stores what was learned about servers by their `memoryKey`; no method ever rejects. */
export interface ServerMemory {
  load(key: object): Promise<RememberedServer | undefined>;
  save(key: object, remembered: RememberedServer): Promise<void>;
  /** Removes all that is stored under a key of the same `name` and `place`, however the server was launched and spoken to. */
  forget(key: object): Promise<void>;
}

/** A memory that stores nothing. */
export const noMemory: ServerMemory = {
  load: () => Promise.resolve(undefined),
  save: () => Promise.resolve(),
  forget: () => Promise.resolve(),
};

/** How long a remembered `legacy` era is trusted: a server that was upgraded would still answer the old way. */
const legacyEraMs = 7 * 24 * 3600_000;

/** Returns the era to begin with, given what is remembered; `undefined` if unknown. */
export function rememberedEra(remembered: RememberedServer | undefined): Era | undefined {
  if (!remembered) return undefined;
  const old = Date.now() - remembered.savedAt > legacyEraMs;
  return remembered.era === 'legacy' && old ? undefined : remembered.era;
}

/** The entries of every list, as they are kept between sessions. */
export type Snapshot = { readonly [K in ListKind]: readonly Lists[K][] };

type ServerLists = { readonly [K in ListKind]: ServerList<Lists[K]> };

/** The lists of one server: kept current while it is running, and remembered while it is not. */
export class Catalog implements Disposable {
  readonly lists: ServerLists;
  private session: Session | undefined;

  constructor(t?: Translate) {
    const tools: ListSpec<Tool> = {
      ...listSpecs.tools,
      read: (...entry) => this.readTool(...entry),
    };
    const specs: Readonly<Record<ListKind, ListSpec<unknown>>> = { ...listSpecs, tools };
    this.lists = fromKinds((kind) => new ServerList(specs[kind], t)) as ServerLists;
  }

  /** The current entries, to be restored later. */
  get snapshot(): Snapshot {
    return fromKinds((kind) => this.lists[kind].items) as Snapshot;
  }

  /** Fills empty lists with the entries that were known before. */
  restore(snapshot: Snapshot): void {
    // The entries belong to the list of their kind, which types cannot express in a loop.
    for (const kind of listKinds) this.lists[kind].restore(snapshot[kind] as readonly never[]);
  }

  /** Empties all lists, of a server that is not running. */
  forget(): void {
    for (const kind of listKinds) this.lists[kind].clear();
  }

  /** Loads every list that the session's server offers, and keeps it current; resolves when all are loaded. */
  async attach(session: Session): Promise<void> {
    this.session = session;
    const request = (method: string, params: Readonly<Record<string, unknown>>) =>
      session.request(method, params);
    const loads = listKinds.map(async (kind) => {
      const list = this.lists[kind];
      if (!listSpecs[kind].isOffered(session.info.capabilities)) return list.clear();
      list.attach(request);
      await list.refresh();
    });
    await Promise.all(loads);
  }

  /** Keeps the lists as they are, since the session has ended. */
  detach(): void {
    this.session = undefined;
    for (const kind of listKinds) this.lists[kind].attach(undefined);
  }

  /** Handles a notification from the server; returns true if it says that a list changed. */
  notified(method: string): boolean {
    const concerned = listKinds.filter((kind) => listSpecs[kind].changed === method);
    for (const kind of concerned) this.lists[kind].invalidate();
    return concerned.length > 0;
  }

  /** Refreshes all lists soon, since changes may have been missed. */
  invalidate(): void {
    for (const kind of listKinds) this.lists[kind].invalidate();
  }

  /** Refreshes the lists that have expired. */
  refreshExpired(): void {
    for (const kind of listKinds) this.lists[kind].refreshExpired();
  }

  dispose(): void {
    for (const kind of listKinds) this.lists[kind].dispose();
  }

  /** Reads a tool; one with invalid header declarations is left out if the server is stateless and uses HTTP. */
  private readTool(...entry: Parameters<ReadEntry<Tool>>): ReturnType<ReadEntry<Tool>> {
    const read = listSpecs.tools.read(...entry);
    if (!('entry' in read) || !this.session?.usesParamHeaders) return read;
    const scan = scanParamHeaders(read.entry.inputSchema);
    if (!('problem' in scan)) return read;
    const { problem } = scan;
    return { problem: (t) => t('The tool "{0}" was left out: {1}', read.entry.name, problem(t)) };
  }
}

function fromKinds<T>(make: (kind: ListKind) => T): Readonly<Record<ListKind, T>> {
  return Object.fromEntries(listKinds.map((kind) => [kind, make(kind)])) as Record<ListKind, T>;
}
