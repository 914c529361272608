import type { CallGate } from '../../gate/toolGate';
import type { Logger } from '../../base/log';
import type { ContentBlock, JsonObject } from '../../mcp/protocol/types';
import type { Servers } from '../../mcp/server';
import {
  type CallOrigin,
  type RunToolOptions,
  type ToolCall,
  type ToolOutcome,
  readResourceTool,
} from '../../contracts/toolCalls';
import type { ContentPart } from '../../contracts/modelMessages';
import type { CutTexts, TextPiece } from '../content/cutTexts';
import {
  type KnownTool,
  type OfferedTool,
  OfferedTools,
  type ToolSelection,
  toolsText,
} from '../../offer/offeredTools';
import { ResourceServers } from '../../offer/resourceServers';
import { Setting } from '../../ui/ids';
import { readSetting } from '../../ui/settings/readSetting';

/** The limits of an answer, as the user set them. */
export interface ChatLimits {
  readonly maxRounds: number;
  /** If there are more tools than this, the model searches for them instead of being given them all. */
  readonly maxTools: number;
  /** In characters. */
  readonly maxResultLength: number;
}

/** Reads the current limits. */
export function readChatLimits(): ChatLimits {
  return {
    maxRounds: readSetting(Setting.chatMaxRounds),
    maxTools: readSetting(Setting.chatMaxTools),
    maxResultLength: readSetting(Setting.chatMaxResultLength),
  };
}

/** What a call of a model returned: a text of our own, a piece of a long text, or the outcome of the gate. */
export type ModelCallResult =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'piece'; readonly piece: TextPiece }
  | { readonly kind: 'outcome'; readonly call: ToolCall; readonly outcome: ToolOutcome };

/** The names of our own tools, which are offered along with those of servers. */
export const builtInToolNames = {
  find: 'findTools',
  call: 'callTool',
  read: 'readResource',
} as const;

/** Our own tools: to find tools of servers, to call one by its name, and to read a resource. */
export class ChatTools {
  private readonly deps: {
    readonly servers: Servers;
    readonly gate: CallGate;
    readonly cutTexts: CutTexts;
    readonly selection: ToolSelection;
    readonly log: Logger;
  };
  private readonly resources: ResourceServers;
  private readonly tools: OfferedTools;

  constructor(deps: ChatTools['deps']) {
    this.deps = deps;
    this.resources = new ResourceServers(deps.servers);
    this.tools = new OfferedTools(deps);
  }

  /** The tools that models may be offered, by the names that models know them by. */
  get offered(): ReadonlyMap<string, OfferedTool> {
    return this.tools.all;
  }

  /** All tools of all servers, selected by the user or not. */
  get known(): readonly KnownTool[] {
    return this.tools.known;
  }

  /** True if the model of a conversation has something to read. */
  canRead(origin: CallOrigin): boolean {
    return !this.deps.cutTexts.isEmpty || this.resources.readable(origin).length > 0;
  }

  /** Remembers that a server named resources in a conversation, so that they are read from that server. */
  rememberResources(origin: CallOrigin, serverId: string, content: readonly ContentBlock[]): void {
    this.resources.remember(origin, serverId, content);
  }

  /** Finds the tools that match a model's query. */
  find(query: JsonObject): readonly OfferedTool[] {
    return this.tools.find(query);
  }

  /** Passes a model's call of a server's tool through the gate. */
  async call(
    name: string,
    args: JsonObject,
    origin: CallOrigin,
    options: RunToolOptions,
  ): Promise<ModelCallResult> {
    const named = this.offered.get(name);
    if (!named)
      return say(
        `There is no tool "${name}". Find the names of tools with ${builtInToolNames.find}.`,
      );
    const { server, tool } = named;
    return this.passGate({ server, tool, arguments: args, origin }, options);
  }

  /** Reads more of a text that was cut, or passes the reading of a server's resource through the gate. */
  async read(
    args: JsonObject,
    origin: CallOrigin,
    options: RunToolOptions,
  ): Promise<ModelCallResult> {
    const { uri, offset, length } = args;
    if (typeof uri !== 'string') return say('The argument "uri" must be a text.');
    const { cutTexts } = this.deps;
    const piece = cutTexts.read(uri, numberOf(offset), numberOf(length));
    if (piece) return { kind: 'piece', piece };
    if (cutTexts.isUri(uri)) return say(`${uri} is no longer kept. Call the tool again.`);
    const server = this.resources.find(args, uri, origin);
    if (typeof server === 'string') return say(server);
    return this.passGate({ server, tool: readResourceTool, arguments: { uri }, origin }, options);
  }

  private async passGate(call: ToolCall, options: RunToolOptions): Promise<ModelCallResult> {
    const outcome = await this.deps.gate.run(call, options);
    if (outcome.kind === 'result')
      this.rememberResources(call.origin, call.server.id, outcome.result.content);
    return { kind: 'outcome', call, outcome };
  }
}

/** Describes the tools that were found to a model: their names, and how to call each. */
export function describeTools(tools: readonly OfferedTool[]): ContentPart {
  return { kind: 'text', text: toolsText(tools) };
}

function say(text: string): ModelCallResult {
  return { kind: 'text', text };
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? Math.floor(value) : undefined;
}
