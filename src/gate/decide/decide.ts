import type { ToolAnnotations } from '../../mcp/protocol/types';
import type { SchemaProblem, SchemaVerdict, UncheckedReason } from '../../mcp/schema/verdict';
import type { Approval } from './approval';
import type { Change } from './identityChanges';
import type { LookAlike } from './lookAlikes';
import type { ServerPolicy } from '../../ui/settings/settingRules';

/** Everything that a decision on a call rests on. */
export interface Facts {
  /** An administrator forbids it. */
  readonly byAdministrator?: true;
  readonly policy: ServerPolicy;
  /** A pattern of the deny list covers the tool. */
  readonly onDenyList: boolean;
  readonly trustsReadOnlyHint: boolean;
  readonly annotations: ToolAnnotations | undefined;
  readonly approval: Approval | undefined;
  readonly changes: readonly Change[];
  readonly lookAlikes: readonly LookAlike[];
  readonly over: 'minute' | 'answer' | undefined;
  /** Since when the conversation holds what strangers may have written: epoch ms. */
  readonly taintedSince: number | undefined;
  /** What the tool's schema says of the arguments. */
  readonly argumentVerdict: SchemaVerdict;
}

/** What a user shall know before answering. */
export type Concern =
  | { readonly kind: 'changed'; readonly changes: readonly Change[] }
  | { readonly kind: 'lookAlike'; readonly other: LookAlike }
  | { readonly kind: 'moreLookAlikes'; readonly count: number }
  | { readonly kind: 'tainted' }
  | { readonly kind: 'over'; readonly limit: 'minute' | 'answer' }
  /** The arguments do not fit the schema, or only not the formats it names. */
  | { readonly kind: 'arguments' | 'formats'; readonly problems: readonly SchemaProblem[] }
  | { readonly kind: 'unchecked'; readonly reason: UncheckedReason };

/** The most look-alikes that a question names. */
export const maxLookAlikes = 5;

/** A setting that decides without asking. */
export type Rule = 'administrator' | 'denyList' | 'serverPolicy' | 'readOnlyHint';

/** What becomes of a call. */
export type Verdict =
  | { readonly kind: 'allow'; readonly by: Approval | Rule }
  | { readonly kind: 'deny'; readonly rule: Rule }
  | { readonly kind: 'ask'; readonly concerns: readonly Concern[] };

/** Decides from the facts alone. What denies wins over what asks, and that over what allows. */
export function decide(facts: Facts): Verdict {
  if (facts.byAdministrator) return { kind: 'deny', rule: 'administrator' };
  if (facts.onDenyList) return { kind: 'deny', rule: 'denyList' };
  if (facts.policy === 'deny') return { kind: 'deny', rule: 'serverPolicy' };
  const by = facts.over || facts.argumentVerdict.kind === 'invalid' ? undefined : allowing(facts);
  return by ? { kind: 'allow', by } : { kind: 'ask', concerns: concernsOf(facts) };
}

function allowing(facts: Facts): Approval | Rule | undefined {
  if (facts.approval && !isStale(facts.approval, facts)) return facts.approval;
  // A definition that changed since it was allowed is shown to the user whatever the rules say.
  if (facts.changes.length > 0) return undefined;
  if (facts.policy === 'allow') return 'serverPolicy';
  if (facts.trustsReadOnlyHint && facts.annotations?.readOnlyHint === true) return 'readOnlyHint';
  return undefined;
}

/** An allowance for the session was given before the conversation held what strangers wrote. */
function isStale({ duration, givenAt }: Approval, { taintedSince }: Facts): boolean {
  return duration === 'session' && taintedSince !== undefined && givenAt <= taintedSince;
}

function concernsOf(facts: Facts): readonly Concern[] {
  const { changes, lookAlikes, over, argumentVerdict } = facts;
  const more = lookAlikes.length - maxLookAlikes;
  return [
    ...(changes.length > 0 ? [{ kind: 'changed', changes } as const] : []),
    ...lookAlikes.slice(0, maxLookAlikes).map((other) => ({ kind: 'lookAlike', other }) as const),
    ...(more > 0 ? [{ kind: 'moreLookAlikes', count: more } as const] : []),
    ...(facts.approval && isStale(facts.approval, facts) ? [{ kind: 'tainted' } as const] : []),
    ...(over ? [{ kind: 'over', limit: over } as const] : []),
    ...argumentConcerns(argumentVerdict),
  ];
}

function argumentConcerns(verdict: SchemaVerdict): readonly Concern[] {
  switch (verdict.kind) {
    case 'invalid':
      return [{ kind: 'arguments', problems: verdict.problems }];
    case 'unchecked':
      return [{ kind: 'unchecked', reason: verdict.reason }];
    case 'valid':
      return verdict.notes.length > 0 ? [{ kind: 'formats', problems: verdict.notes }] : [];
  }
}
