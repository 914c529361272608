import { sameBytes } from '../../base/bytes';
import { untilAborted } from '../../base/async';
import { CancelledError, UserError } from '../../base/errors';
import { Emitter } from '../../base/event';
import { toDisposable, type Disposable } from '../../base/disposable';
import type { Resource } from '../../mcp/protocol/types';
import type { Server, Servers } from '../../mcp/server';
import { encodeAuthority } from '../../base/uri/resourcePath';
import type { ResourceRef } from '../../ui/resourceUri';
import { toDocuments, type ResourceDocument } from './resourceDocument';

/** The result of a read; times are epoch milliseconds, and `changedAt` changes only with the content. */
export interface ResourceReading {
  readonly documents: readonly ResourceDocument[];
  readonly size: number;
  readonly readAt: number;
  readonly changedAt: number;
  /** The reading before this one, with other content; only for a resource that is held. */
  readonly previous?: ResourceReading | undefined;
}

interface Pending {
  readonly controller: AbortController;
  readonly result: Promise<ResourceReading>;
  waiting: number;
}

interface Entry {
  readonly ref: ResourceRef;
  /** The server that was asked last; another one may have its id by now. */
  of: Server | undefined;
  reading: ResourceReading | undefined;
  freshUntil: number;
  pending: Pending | undefined;
  holds: number;
  /** The number of the last read that was begun; `shown` is that of the read that gave `reading`. */
  begun: number;
  shown: number;
}

// An editor asks for a file's state and content several times while it opens it.
const defaultFreshness = 3000;
const maxCachedBytes = 32_000_000;
/** What a reading counts as at least: a thousand are looked through after each read. */
const minReadingBytes = 32_000;

/** Returns a string by which a {@link ResourceRef} can be looked up. */
export function refKey({ serverId, uri }: ResourceRef): string {
  return `${encodeAuthority(serverId)}/${uri}`;
}

/**
 * Reads resources, with one read shared by all who ask at the same time, and keeps the readings: for as long as the
 * server says, and the last reading of a held resource until it is released.
 */
export class ResourceStore implements Disposable {
  private readonly servers: Pick<Servers, 'get' | 'ready'>;
  private readonly now: () => number;
  private readonly entries = new Map<string, Entry>();
  private readonly loaded = new Emitter<ResourceRef>();
  private readonly changed = new Emitter<ResourceRef>();
  /** Fires when a read has succeeded, whether or not the content has changed. */
  readonly onDidRead = this.loaded.event;

  /** Fires when a read returned other content than the one before. */
  readonly onDidChange = this.changed.event;

  constructor(servers: Pick<Servers, 'get' | 'ready'>, now: () => number = Date.now) {
    this.servers = servers;
    this.now = now;
  }

  /** Returns what the server's list says about a resource; `undefined` if it is not listed. */
  listed({ serverId, uri }: ResourceRef): Resource | undefined {
    return this.servers.get(serverId)?.resources.items.find((one) => one.uri === uri);
  }

  /** Returns the last reading, fresh or not. */
  peek(ref: ResourceRef): ResourceReading | undefined {
    return this.entries.get(refKey(ref))?.reading;
  }

  /** Returns the last reading if it is still fresh. */
  getFresh(ref: ResourceRef): ResourceReading | undefined {
    const entry = this.known(ref);
    return entry && this.now() < entry.freshUntil ? entry.reading : undefined;
  }

  /** Reads a resource unless a fresh reading is available; rejects as `Server.readResource` does. */
  async read(ref: ResourceRef, signal?: AbortSignal): Promise<ResourceReading> {
    const fresh = this.getFresh(ref);
    if (fresh) return fresh;
    const entry = this.entry(ref);
    const pending = (entry.pending ??= this.start(entry));
    pending.waiting += 1;
    try {
      return await withdrawable(pending.result, signal);
    } finally {
      pending.waiting -= 1;
      if (pending.waiting === 0) this.endPending(entry, pending);
    }
  }

  /** Makes the next read ask the server again; a read in progress is no longer shared, and is stale when it ends. */
  invalidate(ref: ResourceRef): void {
    const entry = this.entries.get(refKey(ref));
    if (!entry) return;
    entry.freshUntil = 0;
    entry.pending = undefined;
  }

  /** Keeps nothing of what a server answered, also of what is held. */
  forgetOf(serverId: string): void {
    for (const entry of this.entries.values()) {
      if (entry.ref.serverId !== serverId) continue;
      entry.pending?.controller.abort();
      Object.assign(entry, { reading: undefined, freshUntil: 0, pending: undefined });
    }
  }

  /** Keeps the last reading, and the one before it, until disposed. */
  hold(ref: ResourceRef): Disposable {
    const entry = this.entry(ref);
    entry.holds += 1;
    return toDisposable(() => {
      entry.holds -= 1;
      this.trim();
    });
  }

  dispose(): void {
    for (const { pending } of this.entries.values()) pending?.controller.abort();
    this.entries.clear();
    this.loaded.dispose();
    this.changed.dispose();
  }

  /** Finds an entry. Of a server that another one has replaced, nothing is fresh, and no answer is waited for. */
  private known(ref: ResourceRef): Entry | undefined {
    const entry = this.entries.get(refKey(ref));
    if (entry?.of && entry.of !== this.servers.get(ref.serverId)) {
      entry.of = undefined;
      entry.freshUntil = 0;
      entry.pending = undefined;
    }
    return entry;
  }

  private entry(ref: ResourceRef): Entry {
    const key = refKey(ref);
    const known = this.known(ref);
    const entry = known ?? {
      ref,
      of: undefined,
      reading: undefined,
      freshUntil: 0,
      pending: undefined,
      holds: 0,
      begun: 0,
      shown: 0,
    };
    // Inserted again, so that the map is in order of use.
    this.entries.delete(key);
    this.entries.set(key, entry);
    return entry;
  }

  private start(entry: Entry): Pending {
    const controller = new AbortController();
    return { controller, result: this.load(entry, controller), waiting: 0 };
  }

  // Nobody is waiting anymore: either the read is done, or the answer is no longer wanted.
  private endPending(entry: Entry, pending: Pending): void {
    if (entry.pending === pending) entry.pending = undefined;
    pending.controller.abort();
    this.trim();
  }

  private async load(entry: Entry, controller: AbortController): Promise<ResourceReading> {
    const { ref } = entry;
    await this.servers.ready;
    const server = this.servers.get(ref.serverId);
    if (!server) throw new UserError((t) => t('The server "{0}" no longer exists.', ref.serverId));
    entry.of = server;
    entry.begun += 1;
    const number = entry.begun;
    const { signal } = controller;
    const isReplaced = () => this.servers.get(ref.serverId) !== server;
    const result = await server.readResource(ref.uri, { signal }).catch((error: unknown) => {
      if (signal.aborted || !isReplaced()) throw error;
      return undefined;
    });
    // It is not what the server says that has the id now.
    if (!result || isReplaced()) return this.read(ref, signal);
    const documents = toDocuments(ref.uri, result, this.listed(ref));
    const before = entry.reading;
    const reading = this.next(entry, documents);
    // The caller gets this reading, but it does not replace that of a later read.
    if (number < entry.shown) return reading;
    entry.shown = number;
    entry.reading = reading;
    const current = entry.pending?.controller === controller;
    entry.freshUntil = current ? this.now() + (result.ttlMs ?? defaultFreshness) : 0;
    this.loaded.fire(ref);
    if (before && before.changedAt !== reading.changedAt) this.changed.fire(ref);
    return reading;
  }

  private next(entry: Entry, documents: readonly ResourceDocument[]): ResourceReading {
    const before = entry.reading;
    const readAt = this.now();
    const size = documents.reduce((sum, { bytes }) => sum + bytes.length, 0);
    if (before && sameDocuments(before.documents, documents)) return { ...before, readAt };
    const changedAt = Math.max(readAt, (before?.changedAt ?? 0) + 1);
    const reading = { documents, size, readAt, changedAt };
    return before && entry.holds > 0
      ? { ...reading, previous: { ...before, previous: undefined } }
      : reading;
  }

  private trim(): void {
    let bytes = 0;
    for (const entry of [...this.entries.values()].toReversed()) {
      if (entry.holds > 0 || entry.pending) continue;
      const size = entry.reading && Math.max(entry.reading.size, minReadingBytes);
      // The latest one stays whatever its size; otherwise, a large one could never be shown.
      if (size !== undefined && (bytes === 0 || bytes + size <= maxCachedBytes)) bytes += size;
      else this.entries.delete(refKey(entry.ref));
    }
  }
}

function sameDocuments(a: readonly ResourceDocument[], b: readonly ResourceDocument[]): boolean {
  return (
    a.length === b.length &&
    a.every((one, i) => {
      const other = b[i];
      return one.name === other?.name && sameBytes(one.bytes, other.bytes);
    })
  );
}

async function withdrawable<T>(result: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  try {
    return await (signal ? untilAborted(result, signal) : result);
  } catch (error) {
    throw signal?.aborted ? new CancelledError() : error;
  }
}
