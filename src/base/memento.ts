import { type Deferred, deferred, PendingWork, Timer } from './async';

/** A store of small values that outlives the session; the editor's own `Memento` is one. */
export interface Memento {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
  /** The store that this one is a part of, if any. */
  readonly whole?: Memento;
}

/** Returns a store that ends with the window. */
export function createSessionMemento(): Memento {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    update: async (key, value) => void values.set(key, value),
  };
}

/** When this window looks whether another one has undone a change, each in milliseconds after the last time. */
const looksMs = [100, 400, 1500] as const;

/** So many of these looks are waited for as the window closes: nobody takes them afterwards. */
const looksBeforeEnd = 2;

const changing = new WeakMap<Memento, PendingWork>();

function changesOf(store: Memento): PendingWork {
  const whole = store.whole ?? store;
  const changes = changing.get(whole) ?? new PendingWork();
  changing.set(whole, changes);
  return changes;
}

/** Resolves when the latest changes of all lists in a store are written, and no other window has undone them. */
export function changesKept(store: Memento): Promise<void> {
  return changesOf(store).settled();
}

/** After so many milliseconds, every window has had a change: another one is a decision of its own. */
const settledMs = 2500;

/** How the entries of a list are checked and kept. */
interface ListTraits<T> {
  /** The most entries that are kept; the oldest are removed. */
  readonly max: number;
  /** True for an entry that is valid: another version may have written it. */
  readonly isEntry: (value: unknown) => value is T;
  /** True if an entry takes something away from somebody; otherwise, it allows something. */
  readonly restricts?: boolean;
}

/** An entry that was put, and those that it is in place of. */
interface Put<T> {
  readonly entry: T;
  readonly replaces: (one: T) => boolean;
}

/**
 * A list in a {@link Memento}, of the latest entries. The editor writes all values of a window at once, so another window
 * that writes anything in the same moment writes its older copy of the list, too. Where that undoes a change, what is
 * stricter holds: entries that allow something and were removed here stay away, those that restrict it stay.
 */
export class StoredList<T> {
  private readonly store: Memento;
  private readonly key: string;
  private readonly traits: ListTraits<T>;
  /** What may be undone, by the texts of entries: those that went, or those that were put. */
  private readonly gone = new Set<string>();
  private readonly added = new Map<string, Put<T>>();
  private readonly look = new Timer(() => void this.lookAgain());
  private looked = 0;
  private looks: Deferred<void> | undefined;
  private changedAt = -Infinity;

  constructor(store: Memento, key: string, traits: ListTraits<T>) {
    this.store = store;
    this.key = key;
    this.traits = traits;
  }

  /** The kept entries that are valid, the latest last. */
  get all(): readonly T[] {
    return this.isSettled ? this.stored : this.unchanged;
  }

  /** True once nothing can be undone any more: this window may hang, and look late. */
  private get isSettled(): boolean {
    return !this.look.pending && performance.now() - this.changedAt > settledMs;
  }

  /** What is stored, without what another window has undone. */
  private get unchanged(): readonly T[] {
    const { stored, gone, added } = this;
    if (gone.size + added.size === 0) return stored;
    const left = stored.filter((one) => !gone.has(JSON.stringify(one)));
    const known = new Set(left.map((one) => JSON.stringify(one)));
    return [...added].reduce(
      (list: readonly T[], [text, { entry, replaces }]) =>
        known.has(text) ? list : [...list.filter((one) => !replaces(one)), entry],
      left,
    );
  }

  /** Adds an entry as the latest, in place of those that it replaces. */
  async put(entry: T, replaces: (one: T) => boolean): Promise<void> {
    const kept = this.all;
    const others = kept.filter((one) => !replaces(one));
    this.note(kept.filter(replaces), { entry, replaces });
    await this.write([...others, entry].slice(-this.traits.max));
  }

  /** Removes the matching entries; writes nothing if there are none. */
  async remove(isMeant: (one: T) => boolean): Promise<void> {
    const kept = this.all;
    const removed = kept.filter(isMeant);
    if (removed.length === 0) return;
    this.note(removed);
    await this.write(kept.filter((one) => !isMeant(one)));
  }

  private write(list: readonly T[]): Promise<void> {
    return changesOf(this.store).track(Promise.resolve(this.store.update(this.key, list)));
  }

  private get stored(): readonly T[] {
    const value = this.store.get(this.key);
    return Array.isArray(value) ? value.filter(this.traits.isEntry) : [];
  }

  /** Notes what is not to be undone, as long as another window may not know of it. */
  private note(removed: readonly T[], put?: Put<T>): void {
    const { gone, added, traits } = this;
    const now = performance.now();
    if (this.isSettled) {
      gone.clear();
      added.clear();
    }
    for (const one of removed) {
      const text = JSON.stringify(one);
      added.delete(text);
      if (!traits.restricts) gone.add(text);
    }
    if (put) {
      const text = JSON.stringify(put.entry);
      gone.delete(text);
      if (traits.restricts) added.set(text, put);
    }
    this.changedAt = now;
    this.looked = 0;
    if (gone.size + added.size === 0) return;
    this.look.start(looksMs[0]);
    if (this.looks) return;
    this.looks = deferred();
    void changesOf(this.store).track(this.looks.promise);
  }

  private async lookAgain(): Promise<void> {
    const { unchanged, stored } = this;
    this.looked += 1;
    const next = looksMs[this.looked];
    if (next !== undefined) this.look.start(next);
    try {
      if (JSON.stringify(unchanged) !== JSON.stringify(stored)) await this.write(unchanged);
    } catch {
      // The window is closing.
    }
    if (this.looked < looksBeforeEnd) return;
    this.looks?.resolve();
    this.looks = undefined;
  }
}

/** True for a text: many lists keep only ids. */
export function isString(value: unknown): value is string {
  return typeof value === 'string';
}
