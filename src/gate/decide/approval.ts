import type { ApprovalScope } from '../../contracts/decision';
import type { ToolIdentity, ToolsIdentity } from '../../mcp/serverIdentity';
import type { JsonObject } from '../../mcp/protocol/types';

/** An approval that the user gave once, bound to what it was given for. */
export interface Approval extends ApprovalScope {
  readonly server: { readonly id: string; readonly name: string };
  /** The app whose calls it covers; absent for calls of models and of the user. */
  readonly app?: { readonly uri: string; readonly fingerprint: string };
  /** The agent whose calls it covers, by its entry; absent for calls of the editor's models and of the user. */
  readonly agent?: { readonly entry: string; readonly label: string };
  /** The tool's name; absent if it covers all tools of a server. */
  readonly tool?: string;
  /** With the coverage `arguments`: their fingerprint, and the arguments without secrets. */
  readonly arguments?: { readonly fingerprint: string; readonly shown: JsonObject };
  readonly identity: ToolIdentity | ToolsIdentity;
  /** The fingerprint of `identity`. */
  readonly fingerprint: string;
  /** When it was given, and when what it covers was found to have changed, in epoch milliseconds. */
  readonly givenAt: number;
  readonly withdrawnAt?: number;
}

/** Returns a key that is the same for two approvals if the newer one replaces the older one. */
export function approvalKey(approval: Approval): string {
  const { server, app, agent, coverage, tool, arguments: args, identity } = approval;
  // Another workspace may have a different server with the same name.
  const parts = [server.id, identity.launchFingerprint, coverage, tool, args?.fingerprint];
  if (agent) return JSON.stringify([...parts, 'agent', agent.entry]);
  return JSON.stringify(app ? [...parts, app.uri, app.fingerprint] : parts);
}
