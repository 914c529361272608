import type { Memento } from '../base/memento';

const storeKey = 'toolsNotOffered';

/** The parts of a tool that identify it in a selection. */
export interface SelectableTool {
  readonly server: { readonly id: string };
  readonly tool: { readonly name: string };
}

/** The tools that the user does not offer to models in this workspace; new tools are offered. */
export class ToolSelection {
  private readonly store: Memento;

  constructor(store: Memento) {
    this.store = store;
  }

  /** A function that says whether a tool is offered now. */
  get offers(): (tool: SelectableTool) => boolean {
    const hidden = new Set(this.read());
    return (tool) => hidden.size === 0 || !hidden.has(toolKey(tool));
  }

  /** Stores which of the `shown` tools are `offered`; others stay as they are. */
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

/** Returns a key that distinguishes a tool from all others. */
export function toolKey({ server, tool }: SelectableTool): string {
  return JSON.stringify([server.id, tool.name]);
}
