import { readResourceTool } from '../../contracts/toolCalls';
import type { Tool } from '../../mcp/protocol/types';
import type { ServerPolicy, TaintSource } from '../../ui/settings/settingRules';

/** The rules that a person set for all calls. */
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
}

/** True when a pattern of the deny list covers the tool. */
export function isDenied(policy: ToolPolicy, server: string, tool: string): boolean {
  return policy.deny.some((pattern) => matches(pattern, `${server}/${tool}`));
}

/**
 * True when a result of the tool may hold what strangers wrote. What a server says of its tool can
 * only add to that; a resource may hold anything.
 */
export function isOpenWorld(source: TaintSource, tool: Tool): boolean {
  switch (source) {
    case 'off':
      return false;
    case 'declared':
      return tool === readResourceTool || tool.annotations?.openWorldHint === true;
    case 'assumed':
      return true;
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
