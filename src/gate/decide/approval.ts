import type { ToolIdentity, ToolsIdentity } from '../../mcp/fingerprint';
import type { JsonObject } from '../../mcp/protocol/types';

/** How long an allowance holds, the shortest first. */
export const durations = ['session', 'workspace', 'always'] as const;

/** One of {@link durations}. */
export type Duration = (typeof durations)[number];

/** What an allowance covers: one tool, one tool with exactly these arguments, or all tools of the server. */
export const coverages = ['tool', 'arguments', 'server'] as const;

/** One of {@link coverages}. */
export type Coverage = (typeof coverages)[number];

/** What a user wants remembered of an answer. */
export interface Remember {
  readonly duration: Duration;
  readonly coverage: Coverage;
}

/** An allowance that was given once, bound to what it was given for. */
export interface Approval extends Remember {
  readonly server: { readonly id: string; readonly name: string };
  /** The app whose calls it is for; absent for calls of models and of the user. */
  readonly app?: { readonly uri: string; readonly fingerprint: string };
  /** The tool's name, but for all tools of a server. */
  readonly tool?: string;
  /** With the extent `arguments`: their fingerprint, and themselves without secrets. */
  readonly arguments?: { readonly fingerprint: string; readonly shown: JsonObject };
  readonly identity: ToolIdentity | ToolsIdentity;
  /** The fingerprint of `identity`. */
  readonly fingerprint: string;
  /** When it was given, and when it was found to be for something that has changed: epoch ms. */
  readonly givenAt: number;
  readonly withdrawnAt?: number;
}

/** The same for approvals of which a newer one replaces the older. */
export function approvalKey(approval: Approval): string {
  const { server, app, coverage, tool, arguments: args, identity } = approval;
  // Another workspace may have another server of that name.
  const parts = [server.id, identity.launchFingerprint, coverage, tool, args?.fingerprint];
  return JSON.stringify(app ? [...parts, app.uri, app.fingerprint] : parts);
}
