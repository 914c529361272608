import type { ToolAnnotations } from '../../mcp/protocol/types';
import type { SchemaProblem, ValidationResult, UncheckedReason } from '../../mcp/schema/validation';
import type { Approval, Change } from './approval';
import type { LookAlike } from './lookAlikes';
import type { ServerPolicy } from '../../ui/settings/settingRules';
import { durationTraits } from '../../contracts/questionOutcome';

/** Everything that the decision on a call is based on. */
export interface Facts {
  /** The word of an administrator that forbids the call. */
  readonly forbiddenBy: 'administrator' | 'administratorFile' | undefined;
  readonly policy: ServerPolicy;
  readonly onDenyList: boolean;
  readonly onAskList: boolean;
  /** True if the server's entry restricts which tools can be called, and not to this one. */
  readonly isFilteredOut: boolean;
  /** True if the server lists no tool of this name. */
  readonly isUnlisted?: true;
  readonly trustsReadOnlyHint: boolean;
  readonly annotations: ToolAnnotations | undefined;
  readonly approval: Approval | undefined;
  readonly changes: readonly Change[];
  readonly lookAlikes: readonly LookAlike[];
  readonly over: CallLimit | undefined;
  /** When the conversation first received content that strangers may have written, in epoch milliseconds. */
  readonly taintedSince: number | undefined;
  /** The result of checking the arguments against the tool's schema. */
  readonly validation: ValidationResult;
}

/**
 * What the calls of models are counted in: more than the limit in one are asked about. Fixed limits refuse calls before the
 * gate: `maxAppCallsPerMinute` and `maxRequestsPerMinute` of an app, `maxAgentCallsPerMinute` of an agent.
 */
export type CallLimit = 'minute' | 'answer';

/** Something that the user should know before answering. */
export type Concern =
  | { readonly kind: 'changed'; readonly changes: readonly Change[] }
  | { readonly kind: 'lookAlike'; readonly other: LookAlike }
  | { readonly kind: 'moreLookAlikes'; readonly count: number }
  /** A rule has the tool asked about each time, so that no allowance can last. */
  | { readonly kind: 'askList' }
  /** The server lists no tool of this name, so that nothing is known about it. */
  | { readonly kind: 'unlisted' }
  | { readonly kind: 'tainted' }
  | { readonly kind: 'over'; readonly limit: CallLimit }
  /** The arguments do not match the schema, or only do not match the formats that it names. */
  | { readonly kind: 'arguments' | 'formats'; readonly problems: readonly SchemaProblem[] }
  | { readonly kind: 'unchecked'; readonly reason: UncheckedReason };

/** The most look-alikes that a question names. */
export const maxLookAlikes = 5;

/** A setting, or a key of the server's entry, that decides without asking. */
export type Rule =
  | 'administrator'
  | 'administratorFile'
  | 'denyList'
  | 'toolFilter'
  | 'serverPolicy'
  | 'readOnlyHint';

/** What happens to a call. */
export type AccessDecision =
  | { readonly kind: 'allow'; readonly by: Approval | Rule }
  | { readonly kind: 'deny'; readonly rule: Rule }
  | { readonly kind: 'ask'; readonly concerns: readonly Concern[] };

/** Decides from the facts alone. Reasons to deny win over reasons to ask, and those over reasons to allow. */
export function decide(facts: Facts): AccessDecision {
  if (facts.forbiddenBy) return { kind: 'deny', rule: facts.forbiddenBy };
  if (facts.onDenyList) return { kind: 'deny', rule: 'denyList' };
  if (facts.isFilteredOut) return { kind: 'deny', rule: 'toolFilter' };
  if (facts.policy === 'deny') return { kind: 'deny', rule: 'serverPolicy' };
  const by = facts.over || facts.validation.kind === 'invalid' ? undefined : allowing(facts);
  return by ? { kind: 'allow', by } : { kind: 'ask', concerns: concernsOf(facts) };
}

function allowing(facts: Facts): Approval | Rule | undefined {
  if (facts.onAskList || facts.isUnlisted) return undefined;
  if (facts.approval && !isStale(facts.approval, facts)) return facts.approval;
  // A definition that has changed since it was allowed is shown to the user, no matter what the rules say.
  if (facts.changes.length > 0) return undefined;
  if (facts.policy === 'allow') return 'serverPolicy';
  if (facts.trustsReadOnlyHint && facts.annotations?.readOnlyHint === true) return 'readOnlyHint';
  return undefined;
}

/** True for a session approval from before the conversation received content that strangers may have written. */
function isStale({ duration, givenAt }: Approval, { taintedSince }: Facts): boolean {
  return !durationTraits[duration].isKept && taintedSince !== undefined && givenAt <= taintedSince;
}

function concernsOf(facts: Facts): readonly Concern[] {
  const { changes, lookAlikes, over, validation } = facts;
  const more = lookAlikes.length - maxLookAlikes;
  return [
    ...(facts.isUnlisted ? [{ kind: 'unlisted' } as const] : []),
    ...(changes.length > 0 ? [{ kind: 'changed', changes } as const] : []),
    ...lookAlikes.slice(0, maxLookAlikes).map((other) => ({ kind: 'lookAlike', other }) as const),
    ...(more > 0 ? [{ kind: 'moreLookAlikes', count: more } as const] : []),
    ...(facts.onAskList ? [{ kind: 'askList' } as const] : []),
    ...(facts.approval && isStale(facts.approval, facts) ? [{ kind: 'tainted' } as const] : []),
    ...(over ? [{ kind: 'over', limit: over } as const] : []),
    ...argumentConcerns(validation),
  ];
}

function argumentConcerns(validation: ValidationResult): readonly Concern[] {
  switch (validation.kind) {
    case 'invalid':
      return [{ kind: 'arguments', problems: validation.problems }];
    case 'unchecked':
      return [{ kind: 'unchecked', reason: validation.reason }];
    case 'valid':
      return validation.notes.length > 0 ? [{ kind: 'formats', problems: validation.notes }] : [];
  }
}
