import type { Logger } from '../../base/log';
import { inEnglish } from '../../base/translate';
import type { Configuration } from '../../config/configuration';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import type { ValidationResult } from '../../mcp/schema/validation';
import { uncheckedText } from '../../mcp/schema/words';
import type { Servers } from '../../mcp/server';
import {
  type CallOrigin,
  type ToolCall,
  isOfModels,
  readResourceTool,
} from '../../contracts/toolCalls';
import type { Approvals } from './approvals';
import type { CallLimit, Facts } from './decide';
import { letsToolBeCalled } from '../../mcp/serverConfig';
import { findLookAlikes } from './lookAlikes';
import type { ServerPolicy } from '../../ui/settings/settingRules';
import { type ToolPolicy, matchesAny } from './policy';
import type { UntrustedConversations } from './untrustedConversations';
import { LastMinute } from '../../base/pace';
import { entryNamed } from '../../mcp/protocol/types';

const keptAnswers = 100;

/** How often something was called; the function that `add` returns takes one call back. */
type Tally = Pick<LastMinute, 'count' | 'add'>;

/** Counts calls of models under each limit: over the last minute, those of each agent apart, and over each answer. */
export class CallCounter {
  private readonly now: () => number;
  private readonly minutes = new Map<string, LastMinute>();
  private readonly answers = new Map<string, Tally>();
  /** With which other calls those of an origin are counted. */
  private readonly tallies: Readonly<Record<CallLimit, (origin: CallOrigin) => Tally>> = {
    minute: (origin) => this.minuteOf(origin),
    answer: (origin) => (origin.kind === 'chat' ? this.answerOf(origin.answer) : createTally()),
  };

  constructor(now: () => number) {
    this.now = now;
  }

  /**
   * Counts a call if a model made it, and returns a function that undoes the counting; calls of apps are counted
   * where the apps are shown.
   */
  count(origin: CallOrigin): () => void {
    if (!isOfModels(origin)) return () => {};
    const takeBacks = Object.values(this.tallies).map((tallyOf) => tallyOf(origin).add());
    return () => {
      for (const takeBack of takeBacks) takeBack();
    };
  }

  /** Returns the limit that one more call of this origin would exceed, if any. */
  over(origin: CallOrigin, { maxCalls }: Pick<ToolPolicy, 'maxCalls'>): CallLimit | undefined {
    if (!isOfModels(origin)) return undefined;
    return (Object.keys(this.tallies) as CallLimit[]).find(
      (limit) => this.tallies[limit](origin).count >= maxCalls[limit],
    );
  }

  /** One agent that calls too much must not slow the others, or the chat. */
  private minuteOf(origin: CallOrigin): Tally {
    const key = origin.kind === 'agent' ? origin.entry : '';
    const minute = this.minutes.get(key) ?? new LastMinute(this.now);
    this.minutes.set(key, minute);
    return minute;
  }

  private answerOf(answer: string): Tally {
    const tally = this.answers.get(answer) ?? createTally();
    this.answers.set(answer, tally);
    for (const oldest of this.answers.keys()) {
      if (this.answers.size <= keptAnswers) break;
      this.answers.delete(oldest);
    }
    return tally;
  }
}

function createTally(): Tally {
  let count = 0;
  return {
    get count() {
      return count;
    },
    add: () => {
      count += 1;
      return () => (count -= 1);
    },
  };
}

/** The sources of the facts about a call. */
export interface FactSources {
  readonly servers: Servers;
  readonly approvals: Approvals;
  readonly policy: () => ToolPolicy;
  readonly configuration: Pick<Configuration, 'isOwn'>;
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
  const own = factSources.configuration.isOwn(server.id);
  return {
    forbiddenBy: forbiddenBy(policy, origin),
    policy: own ? policyOf(policy, server.id) : atLeastAsk(policyOf(policy, server.id)),
    onDenyList: matchesAny(policy.deny, server.id, tool.name),
    onAskList: matchesAny(policy.ask, server.id, tool.name),
    isFilteredOut:
      // Reading a resource is not a tool of the server.
      tool !== readResourceTool && !letsToolBeCalled(server.definition.toolFilter, tool.name),
    trustsReadOnlyHint: own && policy.trustReadOnlyHint.includes(server.id),
    annotations: tool.annotations,
    ...(call.mayBeUnlisted && !entryNamed(server.tools, tool.name) && { isUnlisted: true }),
    approval,
    changes,
    lookAlikes: findLookAlikes(server.id, tool.name, servers.all),
    taintedSince: policy.taint === 'off' ? undefined : untrustedConversations.since(call),
    validation: await validateArguments(call, factSources),
  };
}

function forbiddenBy({ forbids }: ToolPolicy, origin: CallOrigin): Facts['forbiddenBy'] {
  if (forbids === 'all') return 'administratorFile';
  return forbids === 'models' && isOfModels(origin) ? 'administrator' : undefined;
}

function policyOf(policy: ToolPolicy, server: string): ServerPolicy {
  return policy.servers[server] ?? 'ask';
}

function atLeastAsk(policy: ServerPolicy): ServerPolicy {
  return policy === 'allow' ? 'ask' : policy;
}

async function validateArguments(
  { server, tool, arguments: args }: ToolCall,
  { schemas, log }: FactSources,
): Promise<ValidationResult> {
  const validation = await schemas.check(tool.inputSchema, args);
  if (validation.kind === 'unchecked') {
    const { reason, detail } = validation;
    const why = uncheckedText(reason, inEnglish) + (detail === undefined ? '' : ` (${detail})`);
    log.warn(`The arguments of ${server.name} › ${tool.name} were not checked: ${why}`);
  }
  return validation;
}
