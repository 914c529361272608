import { isRecord } from '../../base/json';
import { isString, StoredList, type Memento } from '../../base/memento';
import { toolKey, type SelectableTool } from '../../offer/toolSelection';

/** The most sets of tools that a workspace keeps. */
export const maxToolSets = 50;

interface ToolSet {
  readonly name: string;
  /** The keys of its tools. */
  readonly tools: readonly string[];
}

/** Named selections of tools, kept for the workspace. */
export class ToolSets {
  private readonly kept: StoredList<ToolSet>;

  constructor(store: Memento) {
    this.kept = new StoredList(store, 'toolSets', maxToolSets, isToolSet);
  }

  /** The names of the sets, in the order in which they were last saved. */
  get names(): readonly string[] {
    return this.kept.all.map(({ name }) => name);
  }

  /** Returns a function that is true for the tools in a set. */
  has(name: string): (tool: SelectableTool) => boolean {
    const keys = new Set(this.kept.all.find((set) => set.name === name)?.tools);
    return (tool) => keys.has(toolKey(tool));
  }

  /** Saves tools under a name, replacing a set of that name and discarding the oldest set if necessary. */
  save(name: string, tools: readonly SelectableTool[]): Promise<void> {
    return this.kept.put({ name, tools: tools.map(toolKey) }, (set) => set.name === name);
  }

  delete(name: string): Promise<void> {
    return this.kept.remove((set) => set.name === name);
  }
}

function isToolSet(value: unknown): value is ToolSet {
  if (!isRecord(value)) return false;
  const { name, tools } = value;
  return isString(name) && Array.isArray(tools) && tools.every(isString);
}
