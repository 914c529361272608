import type { Logger } from '../base/log';
import {
  definitionProblem,
  modelDefinition,
  type ModelDefinition,
} from '../contracts/modelDefinition';
import { isForModels } from '../contracts/toolApps';
import type { Tool } from '../mcp/protocol/types';
import type { Servers } from '../mcp/servers';
import { nameTools, type NamedTool } from '../contracts/toolNames';
import type { ToolSelection } from './toolSelection';

/** A tool as it is described to models. */
export interface OfferedTool extends NamedTool {
  readonly definition: ModelDefinition;
}

/** A tool of a server; its definition is `undefined` if it is never offered to models. */
export interface KnownTool extends NamedTool {
  readonly definition: ModelDefinition | undefined;
}

/** The tools of all servers that models may be offered: selected by the user, not too large, and not for apps only. */
export class OfferedTools {
  private readonly deps: {
    readonly servers: Servers;
    readonly selection: ToolSelection;
    readonly log: Logger;
  };
  /** The definitions by tool; `false` for one that is never offered. */
  private readonly definitions = new WeakMap<Tool, ModelDefinition | false>();

  constructor(deps: OfferedTools['deps']) {
    this.deps = deps;
  }

  /** The tools that models may be offered, by the names that models know them by. */
  get all(): ReadonlyMap<string, OfferedTool> {
    const { servers, selection } = this.deps;
    const all = new Map<string, OfferedTool>();
    const offers = selection.offers;
    for (const [name, named] of nameTools(servers.all)) {
      const definition = offers(named) && this.define(named);
      if (definition) all.set(name, { ...named, definition });
    }
    return all;
  }

  /** All tools of all servers, selected or not. */
  get known(): readonly KnownTool[] {
    const named = [...nameTools(this.deps.servers.all).values()];
    return named.map((one) => ({ ...one, definition: this.define(one) || undefined }));
  }

  private define({ server, tool }: NamedTool): ModelDefinition | false {
    const known = this.definitions.get(tool);
    if (known !== undefined) return known;
    const problem = definitionProblem(tool);
    if (problem)
      this.deps.log.warn(`${server.name} › ${tool.name} is not offered to models: ${problem}.`);
    const definition = problem === undefined && isForModels(tool) && modelDefinition(tool);
    this.definitions.set(tool, definition);
    return definition;
  }
}
