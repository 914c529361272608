import type { Memento } from '../../base/memento';
const storeKey = 'toolsNotOffered';

/** Which tools the person keeps from the models of this workspace; new tools are offered. */
export class ToolSelection {
  private readonly store: Memento;

  constructor(store: Memento) {
    this.store = store;
  }

  offers(server: { readonly id: string }, tool: { readonly name: string }): boolean {
    return !this.read().includes(keyOf(server, tool));
  }

  /** Keeps the choice among the tools that were `shown`; others stay as they are. */
  async choose(
    shown: readonly { server: { readonly id: string }; tool: { readonly name: string } }[],
    offered: readonly { server: { readonly id: string }; tool: { readonly name: string } }[],
  ): Promise<void> {
    const chosen = new Set(offered.map(({ server, tool }) => keyOf(server, tool)));
    const known = shown.map(({ server, tool }) => keyOf(server, tool));
    const kept = this.read().filter((key) => !known.includes(key));
    await this.store.update(storeKey, [...kept, ...known.filter((key) => !chosen.has(key))]);
  }

  private read(): readonly string[] {
    const value = this.store.get(storeKey);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }
}

function keyOf(server: { readonly id: string }, tool: { readonly name: string }): string {
  return JSON.stringify([server.id, tool.name]);
}
