import type { Memento } from '../base/memento';
const storeKey = 'workspaceRoots';

/** The user's decisions about the roots that a workspace wants to share, stored outside the workspace's own files. */
export class RootConsents {
  private readonly store: Memento;
  /** The undecided roots that were asked about in this window, each of them only once. */
  private readonly shown = new Set<string>();

  constructor(store: Memento) {
    this.store = store;
  }

  allows(uri: string): boolean {
    return this.decisions.get(uri) === true;
  }

  /** Returns those of `uris` to ask about now, and marks them, so that each is asked about once. */
  takeUnasked(uris: readonly string[]): ReadonlySet<string> {
    const unasked = uris.filter((uri) => !this.decisions.has(uri) && !this.shown.has(uri));
    for (const uri of unasked) this.shown.add(uri);
    return new Set(unasked);
  }

  async decide(uris: Iterable<string>, allowed: boolean): Promise<void> {
    const decided = Array.from(uris, (uri) => [uri, allowed] as const);
    await this.store.update(storeKey, [...new Map([...this.decisions, ...decided])]);
  }

  private get decisions(): ReadonlyMap<string, boolean> {
    const value = this.store.get(storeKey);
    return new Map(Array.isArray(value) ? value.filter(isDecision) : []);
  }
}

function isDecision(value: unknown): value is [string, boolean] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean';
}
