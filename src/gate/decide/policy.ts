import { readResourceTool } from '../../contracts/toolCalls';
import type { Tool } from '../../mcp/protocol/types';
import type { CallLimit } from './decide';
import type { ServerPolicy, TaintSource } from '../../ui/settings/settingRules';

/** The rules that apply to all calls. */
export interface ToolPolicy {
  /** The policy of each server, by its id; `ask` for those not listed. */
  readonly servers: Readonly<Record<string, ServerPolicy>>;
  /** Patterns of the form `server/tool`, where `*` stands for any text; what they match is never called. */
  readonly deny: readonly string[];
  /** Patterns of the same form; what they match is asked about each time, whatever is allowed. */
  readonly ask: readonly string[];
  /** Ids of the servers that are believed when they say that a tool only reads. */
  readonly trustReadOnlyHint: readonly string[];
  readonly maxCalls: Readonly<Record<CallLimit, number>>;
  readonly taint: TaintSource;
  /** An administrator lets nobody call tools, as what they want cannot be kept, or no model use those of extensions. */
  readonly forbids?: 'all' | 'models';
}

/** True if one of the patterns of a {@link ToolPolicy} covers the tool. */
export function matchesAny(patterns: readonly string[], server: string, tool: string): boolean {
  return patterns.some((pattern) => matches(pattern, `${server}/${tool}`));
}

/** Whose approvals a result may have been written to abuse: nobody's, those of servers other than its own, or all. */
export type TaintReach = 'none' | 'otherServers' | 'all';

/**
 * Returns how far a result of the tool taints. A server can do what its own tools do without tricks, but a
 * resource may contain anything; what a server says about its tool counts if the user wants it to, and can only
 * add to the reach.
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

/** Matches a text against a pattern in time linear in their lengths, so that no pattern can cause a stall. */
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
