import { readResourceTool } from '../../contracts/toolCalls';
import type { Tool } from '../../mcp/protocol/types';

/** What happens to a call of a server's tool when nothing else decides, the loosest first. */
export const serverPolicies = ['allow', 'ask', 'deny'] as const;

/** One of {@link serverPolicies}. */
export type ServerPolicy = (typeof serverPolicies)[number];

/**
 * Whose results taint a conversation, the loosest first: none, those of resources and of tools that declare
 * an open world, or of every tool.
 */
export const taintSources = ['off', 'declared', 'assumed'] as const;

/** One of {@link taintSources}. */
export type TaintSource = (typeof taintSources)[number];

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

/** A policy in force: `workspace` can only make `user` stricter. */
export function tighten(user: ToolPolicy, workspace: Partial<ToolPolicy>): ToolPolicy {
  const servers: Record<string, ServerPolicy> = { ...user.servers };
  for (const [id, policy] of Object.entries(workspace.servers ?? {}))
    servers[id] = stricter(serverPolicies, user.servers[id] ?? 'ask', policy);
  const trusted = workspace.trustReadOnlyHint;
  return {
    servers,
    deny: [...user.deny, ...(workspace.deny ?? [])],
    trustReadOnlyHint: trusted
      ? user.trustReadOnlyHint.filter((id) => trusted.includes(id))
      : user.trustReadOnlyHint,
    maxCallsPerMinute: Math.min(user.maxCallsPerMinute, workspace.maxCallsPerMinute ?? Infinity),
    maxCallsPerAnswer: Math.min(user.maxCallsPerAnswer, workspace.maxCallsPerAnswer ?? Infinity),
    taint: stricter(taintSources, user.taint, workspace.taint ?? 'off'),
  };
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

function stricter<T>(loosestFirst: readonly T[], a: T, b: T): T {
  return loosestFirst.indexOf(a) > loosestFirst.indexOf(b) ? a : b;
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
