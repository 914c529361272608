import type { JsonObject } from '../mcp/protocol';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import { nameTools, type NamedTool } from '../mcp/toolNames';
import {
  readResourceTool,
  type CallOrigin,
  type RunTool,
  type RunToolOptions,
  type ToolCall,
  type ToolOutcome,
} from '../mcp/toolCalls';
import type { ContentPart } from '../mcp/modelMessages';
import type { KeptTexts } from './keptTexts';
import { searchTools } from './toolSearch';
import type { ToolSelection } from './toolSelection';

/** What a call of a model came to: a text of our own, or what the gate gave. */
export type Called =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'outcome'; readonly call: ToolCall; readonly outcome: ToolOutcome };

const defaultFound = 10;
const maxFound = 30;

/** The names of the tools of our own, which stand beside those of servers. */
export const ownToolNames = {
  find: 'findTools',
  call: 'callTool',
  read: 'readResource',
} as const;

/** The tools of our own: to find tools of servers, to call one by its name, to read a resource. */
export class ModelTools {
  private readonly deps: {
    readonly servers: Servers;
    readonly run: RunTool;
    readonly kept: KeptTexts;
    readonly selection: ToolSelection;
  };

  constructor(deps: ModelTools['deps']) {
    this.deps = deps;
  }

  /** The tools that models may be offered, by the name they know each by. */
  get offered(): ReadonlyMap<string, NamedTool> {
    const { servers, selection } = this.deps;
    const named = nameTools(servers.all);
    return new Map([...named].filter(([, { server, tool }]) => selection.offers(server, tool)));
  }

  /** The tools that fit a model's query. */
  find({ query, limit }: JsonObject): readonly NamedTool[] {
    const count = typeof limit === 'number' ? Math.min(Math.max(1, limit), maxFound) : defaultFound;
    return searchTools(this.offered.values(), typeof query === 'string' ? query : '', count);
  }

  /** Passes a model's call of a server's tool through the gate. */
  async call(
    name: string,
    args: JsonObject,
    origin: CallOrigin,
    options: RunToolOptions,
  ): Promise<Called> {
    const named = this.offered.get(name);
    if (!named)
      return say(`There is no tool "${name}". Find the names of tools with ${ownToolNames.find}.`);
    const { server, tool } = named;
    const call = { server, tool, arguments: args, origin };
    return { kind: 'outcome', call, outcome: await this.deps.run(call, options) };
  }

  /** Reads on in a text that was cut, or passes the reading of a server's resource through the gate. */
  async read(args: JsonObject, origin: CallOrigin, options: RunToolOptions): Promise<Called> {
    const { uri, offset, length } = args;
    if (typeof uri !== 'string') return say('The argument "uri" must be a text.');
    const piece = this.deps.kept.read(uri, numberOf(offset), numberOf(length));
    if (piece) {
      const end = piece.offset + piece.text.length;
      return say(`Characters ${piece.offset} to ${end} of ${piece.total}:\n${piece.text}`);
    }
    const server = this.findServer(args, uri);
    if (typeof server === 'string') return say(server);
    const call = { server, tool: readResourceTool, arguments: { uri }, origin };
    return { kind: 'outcome', call, outcome: await this.deps.run(call, options) };
  }

  private findServer({ server: wanted }: JsonObject, uri: string): Server | string {
    const all = this.deps.servers.all.filter(
      ({ resources, resourceTemplates }) =>
        resources.items.length > 0 || resourceTemplates.items.length > 0,
    );
    const names = all.map(({ name }) => name).join(', ');
    if (typeof wanted === 'string')
      return (
        all.find(({ id }) => id === wanted) ??
        all.find(({ name }) => name === wanted) ??
        `There is no server "${wanted}" with resources; there are: ${names}.`
      );
    const owners = all.filter(({ resources }) => resources.items.some((each) => each.uri === uri));
    const [only] = owners.length > 0 ? owners : all;
    if (only && (owners.length === 1 || all.length === 1)) return only;
    return `Name the server to read ${uri} from; there are: ${names}.`;
  }
}

/** What a model reads of the tools that were found: their names, and how to call each. */
export function describeTools(tools: readonly NamedTool[]): ContentPart {
  const described = tools.map(({ name, server, tool }) => ({
    name,
    server: server.name,
    description: tool.description ?? '',
    inputSchema: tool.inputSchema,
  }));
  return { kind: 'text', text: JSON.stringify(described, undefined, 1) };
}

function say(text: string): Called {
  return { kind: 'text', text };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.floor(value) : undefined;
}
