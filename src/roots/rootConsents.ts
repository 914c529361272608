import type { Memento } from '../base/memento';
const storeKey = 'workspaceRoots';

/** Which of the roots that a workspace wants shared the user agreed to; kept beside the workspace, not in it. */
export class RootConsents {
  private readonly store: Memento;
  /** What nobody decided on is asked about once in a window. */
  private readonly shown = new Set<string>();

  constructor(store: Memento) {
    this.store = store;
  }

  allows(uri: string): boolean {
    return this.decisions.get(uri) === true;
  }

  /** Takes those of `uris` that are to be asked about now, so that each is asked about once. */
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
