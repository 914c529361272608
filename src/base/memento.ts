/** A store of small values that outlives the session; the editor's own `Memento` is one. */
export interface Memento {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}

/** A list in a {@link Memento}: the latest entries, each checked when read, as another version may have written it. */
export class StoredList<T> {
  private readonly store: Memento;
  private readonly key: string;
  private readonly max: number;
  private readonly isEntry: (value: unknown) => value is T;

  /** @param max the most entries that are kept; the oldest are removed */
  constructor(store: Memento, key: string, max: number, isEntry: (value: unknown) => value is T) {
    this.store = store;
    this.key = key;
    this.max = max;
    this.isEntry = isEntry;
  }

  /** The kept entries that are valid, the latest last. */
  get all(): readonly T[] {
    const value = this.store.get(this.key);
    return Array.isArray(value) ? value.filter(this.isEntry) : [];
  }

  /** Adds an entry as the latest, in place of those that it replaces. */
  async put(entry: T, replaces: (one: T) => boolean): Promise<void> {
    const others = this.all.filter((one) => !replaces(one));
    await this.store.update(this.key, [...others, entry].slice(-this.max));
  }

  /** Removes the matching entries; writes nothing if there are none. */
  async remove(isMeant: (one: T) => boolean): Promise<void> {
    const kept = this.all;
    const left = kept.filter((one) => !isMeant(one));
    if (left.length < kept.length) await this.store.update(this.key, left);
  }
}

/** True for a text: many lists keep only ids. */
export function isString(value: unknown): value is string {
  return typeof value === 'string';
}
