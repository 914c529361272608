import { deepestShown, measureJson } from '../../base/measureJson';
import { isForApps, isForModels } from '../../contracts/toolApps';
import { readResourceTool, type CallOrigin, type ToolCall } from '../../contracts/toolCalls';
import { entryNamed, type Tool } from '../../mcp/protocol/types';

/** The tool as its server defines it now, the server started if need be; or why there is none. */
export async function currentTool(
  { server, tool, origin }: ToolCall,
  signal: AbortSignal,
): Promise<Tool | string> {
  const outcome = await server.start(signal);
  if (outcome.kind === 'needsSignIn') return `The server "${server.name}" wants a sign-in first.`;
  if (outcome.kind !== 'running') return outcome.message;
  if (tool === readResourceTool) return tool;
  const current = entryNamed(server.tools, tool.name);
  // How a server answers to a name that it does not have is worth a step of saved calls.
  if (!current && origin.kind === 'savedCalls') return tool;
  return current ?? `The server "${server.name}" has no tool "${tool.name}" any more.`;
}

/** Why whoever wants a tool may not have it called (MCP Apps, tool visibility). */
export function hiddenFrom({ kind }: CallOrigin, tool: Tool): string | undefined {
  if (kind === 'app' && !isForApps(tool)) return `The tool "${tool.name}" is not for apps.`;
  if ((kind === 'chat' || kind === 'editor') && !isForModels(tool))
    return `The tool "${tool.name}" is for apps only.`;
  return undefined;
}

/** Why nobody could be shown the arguments of a call. */
export function tooDeep({ arguments: args }: ToolCall): string | undefined {
  return measureJson(args).depth > deepestShown
    ? 'The arguments are nested too deep to be shown.'
    : undefined;
}
