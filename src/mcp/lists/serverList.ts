import { AnnouncedRefresh, type RefreshPace } from '../../base/pace';
import type { Disposable } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { Emitter } from '../../base/event';
import { inEnglish, type Translate } from '../../base/translate';
import type { ListSpec, ListStatus, LiveList } from './listSpecs';
import { loadList, type LoadedList } from './loadList';

/**
 * Notifications within 50 ms cause one refresh, and a storm causes one every two seconds. Some servers announce a change
 * whenever the list is requested, which would never end: each announcement within a second waits longer.
 */
const maxQuietMs = 2000;
const listPace: RefreshPace = {
  quiet: { firstMs: 50, longestMs: maxQuietMs },
  stormMs: maxQuietMs,
  restlessMs: 1000,
};

/** At least this many milliseconds pass between two updates of a growing list. */
const growthMs = 100;

type Request = (method: string, params: Readonly<Record<string, unknown>>) => Promise<unknown>;

/** One list of one server over its whole life: cached, loaded, refreshed, stale. */
export class ServerList<T> implements LiveList<T>, Disposable {
  private current: LoadedList<T> = { items: [], problems: [] };
  private listStatus: ListStatus = 'empty';
  private lastError: string | undefined;
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;

  private request: Request | undefined;
  private expiresAt = Infinity;
  private readonly refreshes = new AnnouncedRefresh(() => this.load(), listPace);

  private readonly spec: ListSpec<T>;
  private readonly t: Translate;

  constructor(spec: ListSpec<T>, t: Translate = inEnglish) {
    this.spec = spec;
    this.t = t;
  }

  get items(): readonly T[] {
    return this.current.items;
  }

  get status(): ListStatus {
    return this.listStatus;
  }

  get error(): string | undefined {
    return this.lastError;
  }

  get problems(): readonly string[] {
    return this.current.problems;
  }

  /** Shows entries from an earlier session until the server is asked. */
  restore(items: readonly T[]): void {
    if (this.listStatus !== 'empty' || items.length === 0) return;
    this.set('cached', { items, problems: [] });
  }

  /** Asks the server through `request` from now on; without it, keeps the last good list. */
  attach(request: Request | undefined): void {
    this.request = request;
    // A load that an earlier session began is not waited for.
    this.refreshes.dispose();
    if (!request && this.listStatus !== 'empty') this.set('cached', this.current);
  }

  /** Empties the list, since the server does not offer it. */
  clear(): void {
    this.attach(undefined);
    this.set('empty', { items: [], problems: [] });
  }

  refresh(): Promise<void> {
    return this.refreshes.refresh();
  }

  /** Refreshes if the time for which the server allowed keeping the list is over. */
  refreshExpired(): void {
    if (Date.now() >= this.expiresAt) void this.refresh();
  }

  /** Refreshes soon, since the list has changed or may have. */
  invalidate(): void {
    if (this.request) this.refreshes.announce();
  }

  dispose(): void {
    this.attach(undefined);
    this.changed.dispose();
  }

  private async load(): Promise<void> {
    const { request } = this;
    if (!request) return;
    const before = this.current;
    this.set('loading', before);
    try {
      const loaded = await loadList(this.spec, request, this.growth(request), this.t);
      if (this.request !== request) return;
      this.expiresAt = loaded.ttlMs === undefined ? Infinity : Date.now() + loaded.ttlMs;
      this.set('loaded', loaded);
    } catch (error) {
      if (this.request !== request) return;
      this.lastError = errorMessage(error, this.t);
      this.set(before.items.length > 0 ? 'stale' : 'failed', before);
    }
  }

  /** Returns a function that shows the entries so far, unless others are shown already or the list does not grow. */
  private growth(request: Request): ((items: readonly T[]) => void) | undefined {
    if (!this.spec.grows || this.current.items.length > 0) return undefined;
    let shownAt = Date.now();
    return (items) => {
      if (this.request !== request || Date.now() - shownAt < growthMs) return;
      shownAt = Date.now();
      this.set('loading', { items: [...items], problems: [] });
    };
  }

  private set(status: ListStatus, list: LoadedList<T>): void {
    if (status !== 'stale' && status !== 'failed') this.lastError = undefined;
    this.listStatus = status;
    this.current = list;
    this.changed.fire();
  }
}
