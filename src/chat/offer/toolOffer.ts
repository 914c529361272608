import type { LanguageModelChatTool } from 'vscode';
import type { Logger } from '../../base/log';
import { measureJson } from '../../base/measureJson';
import type { CallOrigin } from '../../contracts/toolCalls';
import type { ChatTools } from './chatTools';
import type { OfferedTool } from './offeredTools';
import { builtInTools } from './builtInTools';

/** What servers may take of a model's room for the definitions of their tools. */
const maxBytes = 400_000;

/**
 * Makes the function that gives the tools of each request of an answer: all of them, or, where there are
 * more than `limit` or too long ones, a search and what the model has found by it.
 */
export function createOffer(
  {
    chatTools,
    origin,
    log,
  }: { readonly chatTools: ChatTools; readonly origin: CallOrigin; readonly log: Logger },
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
    const tools = [
      ...(isSearch ? [builtInTools.find] : []),
      ...(chatTools.canRead(origin) ? [builtInTools.read] : []),
      ...(isSearch ? fitting(latest).toReversed() : all).map(toModelTool),
    ];
    if (isFirst) log.info(costOf(tools, isSearch ? all.map(toModelTool) : []));
    isFirst = false;
    return tools;
  };
}

/** The first of them that take no more than the room there is. */
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

function tokens(tools: readonly LanguageModelChatTool[]): number {
  return Math.ceil(measureJson(tools).bytes / 4);
}
