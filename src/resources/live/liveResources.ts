import { DisposableHolder, DisposableStore, type Disposable } from '../../base/disposable';
import { errorMessage, isCancellation } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import type { Logger } from '../../base/log';
import { AnnouncedRefresh, type RefreshPace } from '../../base/pace';
import type { Server, Servers } from '../../mcp/server';
import { refKey, type ResourceStore } from '../documents/resourceStore';
import type { ResourceRef } from '../../ui/resourceUri';

interface Watched extends Disposable {
  readonly ref: ResourceRef;
  readonly server: DisposableHolder<Disposable>;
  readonly refresh: AnnouncedRefresh;
  of: Server | undefined;
  changed: boolean;
}

/** The longest wait after a read that itself causes the next announcement. */
const maxEchoMs = 5000;
/** Several notifications in a row cause one read; if they never end, there is still one now and then. */
const readPace: RefreshPace = {
  quiet: { firstMs: 100, longestMs: maxEchoMs },
  stormMs: 500,
  restlessMs: 100,
};

/**
 * Keeps watched resources current: each is subscribed to, and read again when its server reports an update or comes
 * back after one may have been missed.
 */
export class LiveResources implements Disposable {
  private readonly servers: Servers;
  private readonly store: ResourceStore;
  private readonly log: Logger;
  private readonly watched = new Map<string, Watched>();
  private readonly disposables = new DisposableStore();
  private readonly marked = new Emitter<ResourceRef>();

  /** Fires when a watched resource is marked as changed, and when the mark is cleared. */
  readonly onDidChangeMark: Event<ResourceRef> = this.marked.event;

  constructor(servers: Servers, store: ResourceStore, log: Logger) {
    this.servers = servers;
    this.store = store;
    this.log = log;
    this.disposables.add(this.marked);
    this.disposables.add(
      servers.onDidChange(() => {
        for (const one of this.watched.values()) this.connect(one);
      }),
    );
    this.disposables.add(
      store.onDidChange((ref) => {
        const one = this.watched.get(refKey(ref));
        if (one) this.mark(one, true);
      }),
    );
  }

  /** The resources that changed since they were first read or last compared. */
  get changed(): readonly ResourceRef[] {
    return [...this.watched.values()].filter(({ changed }) => changed).map(({ ref }) => ref);
  }

  isChanged(ref: ResourceRef): boolean {
    return this.watched.get(refKey(ref))?.changed ?? false;
  }

  /** Clears the mark, because the user has seen the change. */
  clear(ref: ResourceRef): void {
    const one = this.watched.get(refKey(ref));
    if (one) this.mark(one, false);
  }

  /** Watches exactly `refs`: subscribes to the new ones, and unsubscribes from those left out. */
  watch(refs: readonly ResourceRef[]): void {
    const wanted = new Map(refs.map((ref) => [refKey(ref), ref]));
    for (const [key, one] of this.watched) {
      if (wanted.has(key)) continue;
      this.watched.delete(key);
      this.mark(one, false);
      one.dispose();
    }
    for (const [key, ref] of wanted)
      if (!this.watched.has(key)) this.watched.set(key, this.begin(ref));
  }

  /** Reads the watched resources again whose running servers do not support subscriptions. */
  refreshUnsubscribed(): void {
    for (const one of this.watched.values()) {
      if (one.of?.state.kind === 'running' && !one.of.canSubscribe) void one.refresh.refresh();
    }
  }

  dispose(): void {
    this.watch([]);
    this.disposables.dispose();
  }

  private begin(ref: ResourceRef): Watched {
    const disposables = new DisposableStore();
    const one: Watched = {
      ref,
      server: disposables.add(new DisposableHolder<Disposable>()),
      refresh: disposables.add(new AnnouncedRefresh(() => this.refresh(ref), readPace)),
      of: undefined,
      changed: false,
      dispose: () => disposables.dispose(),
    };
    disposables.add(this.store.hold(ref));
    this.connect(one);
    return one;
  }

  private connect(one: Watched): void {
    const server = this.servers.get(one.ref.serverId);
    if (server === one.of) return;
    one.of = server;
    one.server.value = server && this.follow(server, one);
  }

  private follow(server: Server, one: Watched): Disposable {
    const disposables = new DisposableStore();
    disposables.add(server.subscribe(one.ref.uri));
    disposables.add(
      server.onDidUpdateResource((uri) => {
        if (!concerns(uri, one.ref.uri)) return;
        this.store.invalidate(one.ref);
        one.refresh.announce();
      }),
    );
    let running = server.state.kind === 'running';
    disposables.add(
      server.onDidChangeState(({ kind }) => {
        // The server is back after a while, in which an update may have been missed.
        if (kind === 'running' && !running && this.store.peek(one.ref)) one.refresh.announce();
        running = kind === 'running';
      }),
    );
    return disposables;
  }

  private async refresh(ref: ResourceRef): Promise<void> {
    this.store.invalidate(ref);
    try {
      await this.store.read(ref);
    } catch (error) {
      // The editor keeps what it shows; a user who asks for the resource again sees the reason there.
      if (!isCancellation(error)) this.log.warn(`${ref.uri}: ${errorMessage(error)}`);
    }
  }

  private mark(one: Watched, changed: boolean): void {
    if (one.changed === changed) return;
    one.changed = changed;
    this.marked.fire(one.ref);
  }
}

// An update may name a resource below the one that was subscribed to.
function concerns(updated: string, subscribed: string): boolean {
  return (
    updated === subscribed ||
    updated.startsWith(subscribed.endsWith('/') ? subscribed : `${subscribed}/`)
  );
}
