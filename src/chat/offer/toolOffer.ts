import type { LanguageModelChatTool } from 'vscode';
import type { Logger } from '../../base/log';
import { measureJson, tokensIn } from '../../base/measureJson';
import type { CallOrigin } from '../../contracts/toolCalls';
import { type ChatTools, builtInToolNames } from './chatTools';
import type { OfferedTool } from '../../offer/offeredTools';
import { type ToolCosts, costsByServer } from './toolCosts';

/** The definitions of our own tools that a model of `@mcp` may be given; the manifest has those for other chats. */
const builtInTools: Readonly<Record<'find' | 'read', LanguageModelChatTool>> = {
  find: {
    name: builtInToolNames.find,
    description:
      'Finds tools of the connected MCP servers by what they do. The tools that are found can be ' +
      'called by their names from then on. Search before you say that something cannot be done.',
    inputSchema: {
      type: 'object',
      properties: {
        query: { type: 'string', description: 'What the tool should do, in a few words' },
        limit: { type: 'integer', minimum: 1, maximum: 30, default: 10 },
      },
      required: ['query'],
    },
  },
  read: {
    name: builtInToolNames.read,
    description:
      'Reads a resource of a connected MCP server, or further pieces of a long result, by its URI.',
    inputSchema: {
      type: 'object',
      properties: {
        uri: { type: 'string', description: 'The URI as it was given' },
        server: {
          type: 'string',
          description: 'The name of the server that named the URI; needed where that is not clear',
        },
        offset: { type: 'integer', minimum: 0, description: 'The first character of the piece' },
        length: { type: 'integer', minimum: 1, maximum: 50_000 },
      },
      required: ['uri'],
    },
  },
};

/** The most bytes of a model's context that the definitions of servers' tools may take. */
const maxBytes = 400_000;

/** At most this many servers are named in the log with what they cost. */
const maxNamed = 20;

/**
 * Makes the function that returns the tools for each request of an answer: all of them or, if there are more than
 * `limit` or they are too large, a search tool and what the model has found with it.
 */
export function createOffer(
  {
    chatTools,
    origin,
    costs,
    log,
  }: {
    readonly chatTools: ChatTools;
    readonly origin: CallOrigin;
    readonly costs: ToolCosts;
    readonly log: Logger;
  },
  found: ReadonlySet<string>,
  limit: number,
): () => readonly LanguageModelChatTool[] {
  let isFirst = true;
  return () => {
    const offered = chatTools.offered;
    const all = [...offered.values()];
    const isSearch = all.length > limit || fitting(all).length < all.length;
    // What was found last is most likely what the model wants next.
    const latest = [...found].toReversed().flatMap((name) => offered.get(name) ?? []);
    const given = isSearch ? fitting(latest).toReversed() : all;
    const tools = [
      ...(isSearch ? [builtInTools.find] : []),
      ...(chatTools.canRead(origin) ? [builtInTools.read] : []),
      ...given.map(toModelTool),
    ];
    if (isFirst) {
      log.info(costOf(tools, isSearch ? all.map(toModelTool) : []) + perServer(given, costs));
      // For the next answer, and for a user who selects tools.
      void costs.count(all);
    }
    isFirst = false;
    return tools;
  };
}

/** Returns as many of the first tools as fit into the bytes available. */
function fitting(tools: readonly OfferedTool[]): readonly OfferedTool[] {
  let bytes = 0;
  const end = tools.findIndex(({ definition }) => (bytes += definition.bytes) > maxBytes);
  return end < 0 ? tools : tools.slice(0, end);
}

function toModelTool({ name, definition }: OfferedTool): LanguageModelChatTool {
  return {
    name,
    description: definition.description,
    inputSchema: definition.inputSchema,
  };
}

function costOf(
  tools: readonly LanguageModelChatTool[],
  instead: readonly LanguageModelChatTool[],
): string {
  const own = `@mcp offers ${tools.length} tools, about ${tokens(tools)} tokens`;
  return instead.length === 0
    ? own
    : `${own}, instead of ${instead.length} tools with about ${tokens(instead)} tokens`;
}

/** Says how much of that the tools of each server take, most expensive first. */
function perServer(tools: readonly OfferedTool[], costs: ToolCosts): string {
  const all = costsByServer(tools, costs);
  if (all.length === 0) return '';
  const named = all
    .slice(0, maxNamed)
    .map(({ server, cost }) => `${server.name} ${cost.isEstimate ? '≈ ' : ''}${cost.tokens}`);
  const rest = all.length > maxNamed ? `, and ${all.length - maxNamed} more servers` : '';
  return `: ${named.join(', ')}${rest}`;
}

function tokens(tools: readonly LanguageModelChatTool[]): number {
  return tokensIn(measureJson(tools).bytes);
}
