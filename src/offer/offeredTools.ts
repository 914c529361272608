import { Emitter, type Event } from '../base/event';
import { isRecord } from '../base/json';
import { jsonText } from '../base/text/jsonText';
import { plainLabel, truncate } from '../base/text/text';
import type { Logger } from '../base/log';
import {
  type ModelDefinition,
  definitionProblem,
  modelDefinition,
  revealEntry,
} from '../contracts/modelSchema';
import { isForModels } from '../contracts/toolApps';
import type { UserAction } from '../contracts/questionOutcome';
import type { JsonObject, Tool } from '../mcp/protocol/types';
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
    const hidden = new Set(this.hidden);
    return (tool) => hidden.size === 0 || !hidden.has(toolKey(tool));
  }

  /** Stores which of the `shown` tools are `offered`; others stay as they are. */
  async choose(
    shown: readonly SelectableTool[],
    offered: readonly SelectableTool[],
  ): Promise<void> {
    const chosen = new Set(offered.map(toolKey));
    const known = new Set(shown.map(toolKey));
    const kept = this.hidden.filter((key) => !known.has(key));
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

  /** The tools that are not offered, by {@link toolKey}. */
  get hidden(): readonly string[] {
    const { agent, ofAgents } = this;
    const own = agent !== undefined && Object.hasOwn(ofAgents, agent) ? ofAgents[agent] : undefined;
    const value = own ?? this.store.get(storeKey);
    return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
  }
}

/** Lets the user check the tools of a selection that one agent is offered; `agent` is its name. */
export type SelectTools = (
  action: UserAction,
  selection: ToolSelection,
  agent: string,
) => Promise<void>;

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
  private readonly words: ToolWords = new WeakMap();
  /** The latest offer, and all that it was made of. */
  private latest:
    | { readonly basis: readonly unknown[]; readonly all: ReadonlyMap<string, OfferedTool> }
    | undefined;

  constructor(deps: OfferedTools['deps']) {
    this.deps = deps;
  }

  /** Fires when the user has selected other tools. */
  get onDidSelect(): Event<void> {
    return this.deps.selection.onDidChange;
  }

  /** The tools that models may be offered, by the names that models know them by: the same map until one of them changes. */
  get all(): ReadonlyMap<string, OfferedTool> {
    const { servers, selection } = this.deps;
    const basis = [
      ...servers.all.flatMap((server) => [server, server.id, server.name, server.tools.items]),
      ...selection.hidden,
    ];
    const { latest } = this;
    if (latest && isSame(basis, latest.basis)) return latest.all;
    const all = new Map<string, OfferedTool>();
    const offers = selection.offers;
    for (const [name, named] of nameTools(servers.all)) {
      const definition = offers(named) && this.define(named);
      if (definition) all.set(name, { ...named, definition });
    }
    this.latest = { basis, all };
    return all;
  }

  /** Finds the tools that match a model's query best, by its arguments `query` and `limit`. */
  find({ query, limit }: JsonObject): readonly OfferedTool[] {
    const count = typeof limit === 'number' ? Math.min(Math.max(1, limit), maxFound) : defaultFound;
    const text = typeof query === 'string' ? query.slice(0, maxQuery) : '';
    return searchTools(this.all.values(), text, count, this.words);
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

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  return a.length === b.length && a.every((one, index) => one === b[index]);
}

/** Describes a tool as agents list it: in the words that models are told, with all else that the server says of it. */
export function toolForAgent({
  name,
  tool,
  definition: { description, inputSchema },
}: OfferedTool): Tool {
  const { inputSchema: _schema, outputSchema, execution: _execution, ...rest } = tool;
  return {
    ...revealEntry(rest),
    name,
    ...(description !== '' && { description }),
    inputSchema,
    // Agents of older revisions know objects alone, and would refuse the whole list.
    ...(outputSchema?.['type'] === 'object' && revealEntry({ outputSchema })),
  };
}

/** How many tools a model finds if it does not say how many, and at most. */
const defaultFound = 10;
export const maxFound = 30;

/** The part of a query that is searched for, in UTF-16 units: each of its words is compared with every tool. */
export const maxQuery = 1000;
export const maxQueryWords = 50;

/** What is searched of each text of a tool, in UTF-16 units: it begins with what the tool does. */
export const maxSearchedText = 2000;

/**
 * The names of the tools that stand for all others where an agent is offered more than it takes. No tool of a server has
 * one of these: theirs have two underscores, or are as long as names may be.
 */
export const searchToolNames = {
  find: 'find_tools',
  call: 'call_tool',
  read: 'read_resource',
} as const;

/** What an agent gets in place of more tools than it takes: to find tools, to call one, and to read a resource. */
export const searchToolDefinitions: readonly Tool[] = [
  {
    name: searchToolNames.find,
    title: 'Find Tools',
    description:
      'Finds tools of the MCP servers of the VS Code window by what they do, with the schema of their arguments. ' +
      'Call those that are found with call_tool. Search before you say that something cannot be done.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What the tool should do, in a few words' },
        limit: { type: 'integer', minimum: 1, maximum: maxFound, default: 10 },
      },
      required: ['query'],
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: searchToolNames.call,
    title: 'Call a Tool',
    description: 'Calls a tool that find_tools has found. The user may be asked before it runs.',
    inputSchema: {
      type: 'object',
      properties: {
        name: { type: 'string', description: 'Its name, as find_tools gave it' },
        arguments: { type: 'object', description: 'Its arguments, as its schema says' },
      },
      required: ['name'],
    },
  },
  {
    name: searchToolNames.read,
    title: 'Read a Resource',
    description: 'Reads a resource of these servers, such as one that a result has linked.',
    inputSchema: {
      type: 'object',
      properties: { uri: { type: 'string', description: 'The URI as it was given' } },
      required: ['uri'],
    },
    annotations: { readOnlyHint: true },
  },
];

/** The longest text that describes the tools which were found, in UTF-16 units. */
export const maxFoundText = 40_000;

/** The part of the description of a tool that is told where there is no room for the whole tool, in UTF-16 units. */
const maxLine = 150;

/** What a model is told beside that line. */
const briefNote = 'Search for this name with limit 1 to get its description and schema.';

/**
 * Describes tools to a model: their names, and how to call each. The first ones are whole, as far as there is room; of the
 * others, the name and one line are told.
 */
export function toolsText(tools: readonly OfferedTool[]): string {
  const described = tools.map(({ name, server, definition: { description, inputSchema } }) => {
    const whole = { name, server: plainLabel(server.name), description, inputSchema };
    const [line = ''] = description.trimStart().split(/[\r\n]/, 1);
    const brief = { name, description: truncate(line, maxLine), note: briefNote };
    return { whole, brief, extra: lengthOf(whole) - lengthOf(brief) };
  });
  let room = described.reduce((left, { brief }) => left - lengthOf(brief), maxFoundText);
  let isFull = false;
  const told = described.map(({ whole, brief, extra }) => {
    isFull ||= extra > room;
    if (isFull) return brief;
    room -= extra;
    return whole;
  });
  return jsonText(told, 1);
}

/** How much of the text a tool takes that is listed with others. */
function lengthOf(one: object): number {
  return jsonText([one], 1).length;
}

/** A tool that scores less shares no word with the query. */
const minScore = 1;

/** The words of tools that were searched before. */
type ToolWords = WeakMap<Tool, readonly Field[]>;

/**
 * Finds the tools that match a query best, by the words of their names, titles, servers, descriptions and
 * parameters; `known` keeps those of each tool for the next search.
 */
export function searchTools<T extends NamedTool<{ readonly name: string }>>(
  tools: Iterable<T>,
  query: string,
  limit: number,
  known: ToolWords = new WeakMap(),
): readonly T[] {
  const wanted = [...new Set(words(query))].slice(0, maxQueryWords);
  const servers = new Map<string, Field>();
  const entries = Array.from(tools, (entry) => {
    const { tool, server } = entry;
    const own = known.get(tool) ?? fieldsOf(tool);
    known.set(tool, own);
    const ofServer = servers.get(server.name) ?? field(server.name, 2);
    servers.set(server.name, ofServer);
    return { entry, fields: [...own, ofServer] };
  });
  const frequency = new Map(
    wanted.map((word) => [
      word,
      entries.filter(({ fields }) => fields.some(({ text }) => text.includes(word))).length,
    ]),
  );
  return entries
    .map(({ entry, fields }) => ({
      entry,
      score: wanted.reduce((sum, word) => {
        // A word that few tools have says more than one that many have.
        const rarity = 1 + Math.log(entries.length / (frequency.get(word) || 1));
        const weight = Math.max(0, ...fields.map((each) => matchWeight(each, word)));
        return sum + weight * rarity;
      }, 0),
    }))
    .filter(({ score }) => wanted.length === 0 || score >= minScore)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ entry }) => entry);
}

interface Field {
  readonly text: string;
  readonly words: ReadonlySet<string>;
  readonly weight: number;
}

function fieldsOf(tool: Tool): readonly Field[] {
  const parameters = Object.keys(Object(tool.inputSchema['properties']) as object).join(' ');
  return [
    field(`${tool.name} ${tool.title ?? ''}`, 4),
    field(tool.description ?? '', 2),
    field(parameters, 1),
  ];
}

function field(text: string, weight: number): Field {
  const all = words(text.slice(0, maxSearchedText));
  return { text: all.join(' '), words: new Set(all), weight };
}

function matchWeight({ text, words: own, weight }: Field, word: string): number {
  if (own.has(word)) return weight;
  return word.length > 2 && text.includes(word) ? weight / 2 : 0;
}

/** Returns the words of a text in lower case; names such as `readFile` or `read_file` are split into several. */
function words(text: string): readonly string[] {
  return (
    text
      .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}
