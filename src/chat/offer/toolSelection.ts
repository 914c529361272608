import type { Memento } from '../../base/memento';

const storeKey = 'toolsNotOffered';

/** A tool of a server, as far as it is chosen. */
export interface SelectableTool {
  readonly server: { readonly id: string };
  readonly tool: { readonly name: string };
}

/** Which tools the user keeps from the models of this workspace; new tools are offered. */
export class ToolSelection {
  private readonly store: Memento;

  constructor(store: Memento) {
    this.store = store;
  }

  /** Says of each tool whether it is offered now. */
  get offers(): (tool: SelectableTool) => boolean {
    const hidden = new Set(this.read());
    return (tool) => hidden.size === 0 || !hidden.has(toolKey(tool));
  }

  /** Keeps the choice among the tools that were `shown`; others stay as they are. */
  async choose(
    shown: readonly SelectableTool[],
    offered: readonly SelectableTool[],
  ): Promise<void> {
    const chosen = new Set(offered.map(toolKey));
    const known = new Set(shown.map(toolKey));
    const kept = this.read().filter((key) => !known.has(key));
    await this.store.update(storeKey, [...kept, ...[...known].filter((key) => !chosen.has(key))]);
  }

  private read(): readonly string[] {
    const value = this.store.get(storeKey);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }
}

/** What tells a tool from all others. */
export function toolKey({ server, tool }: SelectableTool): string {
  return JSON.stringify([server.id, tool.name]);
}
