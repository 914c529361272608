import { readResourceTool } from '../../contracts/toolCalls';
import type { Tool } from '../../mcp/protocol/types';
import type { ServerPolicy, TaintSource } from '../../ui/settings/settingRules';

/** The rules that a user set for all calls. */
export interface ToolPolicy {
  /** By the id of a server; `ask` where nothing is said. */
  readonly servers: Readonly<Record<string, ServerPolicy>>;
  /** Patterns of the form `server/tool`, where `*` stands for any text; what they match is never called. */
  readonly deny: readonly string[];
  /** Ids of the servers whose word that a tool only reads is taken. */
  readonly trustReadOnlyHint: readonly string[];
  readonly maxCallsPerMinute: number;
  readonly maxCallsPerAnswer: number;
  readonly taint: TaintSource;
  /** An administrator keeps models from tools of extensions. */
  readonly barsModels?: true;
}

/** True when a pattern of the deny list covers the tool. */
export function isDenied(policy: ToolPolicy, server: string, tool: string): boolean {
  return policy.deny.some((pattern) => matches(pattern, `${server}/${tool}`));
}

/** Whose approvals a result may have been written to abuse: nobody's, those of other servers than its own, or all. */
export type TaintReach = 'none' | 'otherServers' | 'all';

/**
 * How far a result of the tool taints. A server knows what it may do itself, and a resource may hold
 * anything; what a server says of its tool counts where the user wants it to, and can only add to that.
 */
export function taintReach(source: TaintSource, tool: Tool): TaintReach {
  switch (source) {
    case 'off':
      return 'none';
    case 'otherServers':
      return tool === readResourceTool ? 'all' : 'otherServers';
    case 'declared':
      return tool === readResourceTool || tool.annotations?.openWorldHint === true
        ? 'all'
        : 'otherServers';
    case 'assumed':
      return 'all';
  }
}

/** Compares a pattern with a text in time linear in their lengths, so that no pattern can stall. */
function matches(pattern: string, text: string): boolean {
  let at = 0;
  const pieces = pattern.split('*');
  const last = pieces.pop() ?? '';
  for (const [index, piece] of pieces.entries()) {
    const found = index === 0 ? (text.startsWith(piece) ? 0 : -1) : text.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  if (pieces.length === 0) return text === last;
  return text.length - at >= last.length && text.endsWith(last);
}
