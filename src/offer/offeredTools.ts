import { Emitter, type Event } from '../base/event';
import { isRecord } from '../base/json';
import type { Logger } from '../base/log';
import { type ModelDefinition, definitionProblem, modelDefinition } from '../contracts/modelSchema';
import { isForModels } from '../contracts/toolApps';
import type { Tool } from '../mcp/protocol/types';
import type { Servers } from '../mcp/server';
import { type NamedTool, nameTools } from '../contracts/toolNames';
import type { Memento } from '../base/memento';

const storeKey = 'toolsNotOffered';
const agentsKey = 'toolsNotOfferedToAgents';

/** The parts of a tool that identify it in a selection. */
export interface SelectableTool {
  readonly server: { readonly id: string };
  readonly tool: { readonly name: string };
}

/** The tools that the user does not offer in this workspace, to models or to one agent; new tools are offered. */
export class ToolSelection {
  private readonly store: Memento;
  /** The entry of the agent that it is for; `undefined` for models. */
  private readonly agent: string | undefined;
  private readonly changed: Emitter<void>;
  /** Fires when the user has chosen, for whomever. */
  readonly onDidChange: Event<void>;

  constructor(store: Memento, agent?: string, changed = new Emitter<void>()) {
    this.store = store;
    this.agent = agent;
    this.changed = changed;
    this.onDidChange = changed.event;
  }

  /** The selection of one agent outside of the editor, by its entry: that for models until the user makes another. */
  ofAgent(entry: string): ToolSelection {
    return new ToolSelection(this.store, entry, this.changed);
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
    const hidden = [...kept, ...[...known].filter((key) => !chosen.has(key))];
    const { agent } = this;
    if (agent === undefined) await this.store.update(storeKey, hidden);
    else await this.store.update(agentsKey, { ...this.ofAgents, [agent]: hidden });
    this.changed.fire();
  }

  /** Forgets what was chosen for an agent that is gone. */
  async forgetAgent(entry: string): Promise<void> {
    const { [entry]: own, ...others } = this.ofAgents;
    if (own !== undefined) await this.store.update(agentsKey, others);
  }

  private get ofAgents(): Readonly<Record<string, unknown>> {
    const value = this.store.get(agentsKey);
    return isRecord(value) ? value : {};
  }

  private read(): readonly string[] {
    const { agent, ofAgents } = this;
    const own = agent !== undefined && Object.hasOwn(ofAgents, agent) ? ofAgents[agent] : undefined;
    const value = own ?? this.store.get(storeKey);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }
}

/** Returns a key that distinguishes a tool from all others. */
export function toolKey({ server, tool }: SelectableTool): string {
  return JSON.stringify([server.id, tool.name]);
}

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

  /** Fires when the user has selected other tools. */
  get onDidSelect(): Event<void> {
    return this.deps.selection.onDidChange;
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
