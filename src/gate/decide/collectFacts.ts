import type { Logger } from '../../base/log';
import { inEnglish } from '../../base/translate';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import type { SchemaVerdict } from '../../mcp/schema/verdict';
import { uncheckedText } from '../../mcp/schema/words';
import type { Servers } from '../../mcp/servers';
import { isOfModels, readResourceTool, type ToolCall } from '../../contracts/toolCalls';
import type { Approvals } from './approvals';
import type { CallCounter } from './callCounter';
import type { Facts } from './decide';
import { letsToolBeCalled } from '../../mcp/toolFilter';
import { findLookAlikes } from './lookAlikes';
import type { ServerPolicy } from '../../ui/settings/settingRules';
import { isDenied, type ToolPolicy } from './policy';
import type { UntrustedConversations } from './untrustedConversations';

/** The sources of the facts about a call. */
export interface FactSources {
  readonly servers: Servers;
  readonly approvals: Approvals;
  readonly policy: () => ToolPolicy;
  /** True for servers that the user's own settings configure, not a workspace. */
  readonly isOwn: (serverId: string) => boolean;
  readonly counter: CallCounter;
  readonly untrustedConversations: UntrustedConversations;
  readonly schemas: SchemaCheck;
  readonly log: Logger;
}

/** Collects what the decision on a call is based on, except for the limits: other calls are counted in the meantime. */
export async function collectFacts(
  call: ToolCall,
  factSources: FactSources,
): Promise<Omit<Facts, 'over'>> {
  const { server, tool, origin } = call;
  const { servers, approvals, untrustedConversations } = factSources;
  const policy = factSources.policy();
  const { approval, changes } = await approvals.find(call);
  // A workspace could give its server the name of one of the user's own to be trusted in its place.
  const own = factSources.isOwn(server.id);
  return {
    ...(isOfModels(origin) && policy.barsModels && { byAdministrator: true }),
    policy: own ? policyOf(policy, server.id) : atLeastAsk(policyOf(policy, server.id)),
    onDenyList: isDenied(policy, server.id, tool.name),
    isFilteredOut:
      // Reading a resource is not a tool of the server.
      tool !== readResourceTool && !letsToolBeCalled(server.definition.toolFilter, tool.name),
    trustsReadOnlyHint: own && policy.trustReadOnlyHint.includes(server.id),
    annotations: tool.annotations,
    approval,
    changes,
    lookAlikes: findLookAlikes(server.id, tool.name, servers.all),
    taintedSince: policy.taint === 'off' ? undefined : untrustedConversations.since(call),
    argumentVerdict: await argumentVerdict(call, factSources),
  };
}

function policyOf(policy: ToolPolicy, server: string): ServerPolicy {
  return policy.servers[server] ?? 'ask';
}

function atLeastAsk(policy: ServerPolicy): ServerPolicy {
  return policy === 'allow' ? 'ask' : policy;
}

async function argumentVerdict(
  { server, tool, arguments: args }: ToolCall,
  { schemas, log }: FactSources,
): Promise<SchemaVerdict> {
  const verdict = await schemas.check(tool.inputSchema, args);
  if (verdict.kind === 'unchecked') {
    const { reason, detail } = verdict;
    const why = uncheckedText(reason, inEnglish) + (detail === undefined ? '' : ` (${detail})`);
    log.warn(`The arguments of ${server.name} › ${tool.name} were not checked: ${why}`);
  }
  return verdict;
}
