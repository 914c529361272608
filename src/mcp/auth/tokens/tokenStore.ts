/** Stores secret strings by key across restarts; in the editor, that is its secret storage. */
export interface TokenStore {
  get(key: string): PromiseLike<string | undefined>;
  set(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
}
