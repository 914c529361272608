import type { ApprovalScope } from '../../contracts/questionOutcome';
import type { ToolIdentity, ToolsIdentity } from '../../mcp/serverIdentity';
import type { JsonObject } from '../../mcp/protocol/types';
import { jsonText } from '../../base/text/jsonText';
import { canonicalJson } from '../../base/json';

/** The parts of an identity that can change. */
const changeableParts = [
  'launch',
  'instructions',
  'title',
  'description',
  'inputSchema',
  'outputSchema',
  'annotations',
  '_meta',
  'tools',
] as const;

/** One part that has changed, as text; `before` or `after` is empty if there was or is none. */
export interface Change {
  readonly part: (typeof changeableParts)[number];
  readonly before: string;
  readonly after: string;
}

/**
 * Returns the parts in which two identities differ; a fingerprint stands for values of the launch that are not
 * shown.
 */
export function identityChanges(
  before: ToolIdentity | ToolsIdentity,
  after: ToolIdentity | ToolsIdentity,
): readonly Change[] {
  return changeableParts
    .filter((part) => canonicalJson(valueOf(before, part)) !== canonicalJson(valueOf(after, part)))
    .map((part) => ({
      part,
      before: toText(valueOf(before, part)),
      after: toText(valueOf(after, part)),
    }));
}

function valueOf(identity: ToolIdentity | ToolsIdentity, part: Change['part']): unknown {
  switch (part) {
    case 'launch':
      return { ...identity.launch, fingerprint: identity.launchFingerprint };
    case 'instructions':
      return identity.instructions;
    case 'tools':
      return 'tools' in identity ? identity.tools : undefined;
    case 'title':
    case 'description':
    case 'inputSchema':
    case 'outputSchema':
    case 'annotations':
    case '_meta':
      return 'definition' in identity ? identity.definition[part] : undefined;
  }
}

function toText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : jsonText(value, 2);
}

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
