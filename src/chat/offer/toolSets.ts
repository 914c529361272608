import { isRecord } from '../../base/json';
import type { Memento } from '../../base/memento';
import { toolKey, type SelectableTool } from './toolSelection';

const storeKey = 'toolSets';

/** The most sets of tools that a workspace keeps. */
export const maxToolSets = 50;

/** Named selections of tools, kept for the workspace. */
export class ToolSets {
  private readonly store: Memento;

  constructor(store: Memento) {
    this.store = store;
  }

  /** The names of the sets, in the order in which they were first saved. */
  get names(): readonly string[] {
    return Object.keys(this.read());
  }

  /** Returns a function that is true for the tools in a set. */
  has(name: string): (tool: SelectableTool) => boolean {
    const keys = new Set(this.read()[name]);
    return (tool) => keys.has(toolKey(tool));
  }

  /** Saves tools under a name, replacing a set of that name and discarding the oldest set if necessary. */
  async save(name: string, tools: readonly SelectableTool[]): Promise<void> {
    const sets = Object.entries({ ...this.read(), [name]: tools.map(toolKey) });
    await this.store.update(storeKey, Object.fromEntries(sets.slice(-maxToolSets)));
  }

  async delete(name: string): Promise<void> {
    const { [name]: _gone, ...rest } = this.read();
    await this.store.update(storeKey, rest);
  }

  private read(): Readonly<Record<string, readonly string[]>> {
    const value = this.store.get(storeKey);
    if (!isRecord(value)) return {};
    return Object.fromEntries(
      Object.entries(value).flatMap(([name, keys]) =>
        Array.isArray(keys) ? [[name, keys.filter((key) => typeof key === 'string')]] : [],
      ),
    );
  }
}
