import type { LanguageModelChatTool } from 'vscode';
import type { Logger } from '../base/log';
import type { Servers } from '../mcp/servers';
import type { NamedTool } from '../mcp/toolNames';
import type { KeptTexts } from './keptTexts';
import type { ModelTools } from './modelTools';
import { ownTools } from './ownTools';

/**
 * Makes the function that gives the tools of each request of an answer: all of them, or, where there are
 * more than `limit`, a search and what the model has found by it.
 */
export function createOffer(
  parts: {
    readonly servers: Servers;
    readonly modelTools: ModelTools;
    readonly keptTexts: KeptTexts;
  },
  found: ReadonlySet<string>,
  limit: number,
  log: Logger,
): () => readonly LanguageModelChatTool[] {
  const { servers, modelTools, keptTexts } = parts;
  let isFirst = true;
  return () => {
    const offered = modelTools.offered;
    const isSearch = offered.size > limit;
    const shown = isSearch
      ? [...found].flatMap((name) => offered.get(name) ?? [])
      : [...offered.values()];
    const canRead =
      !keptTexts.isEmpty || servers.all.some(({ resources }) => resources.items.length > 0);
    const tools = [
      ...(isSearch ? [ownTools.find] : []),
      ...(canRead ? [ownTools.read] : []),
      ...shown.map(toModelTool),
    ];
    if (isFirst) log.info(costOf(tools, isSearch ? [...offered.values()].map(toModelTool) : []));
    isFirst = false;
    return tools;
  };
}

function toModelTool({ name, tool }: NamedTool): LanguageModelChatTool {
  return { name, description: tool.description ?? '', inputSchema: tool.inputSchema };
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
  return Math.ceil(JSON.stringify(tools).length / 4);
}
