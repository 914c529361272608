/** A store of small values that outlives the session; the editor's own `Memento` is one. */
export interface Memento {
  get(key: string): unknown;
  update(key: string, value: unknown): PromiseLike<void>;
}
