import type { AuditRecord, CallBegun } from '../../../src/audit/auditLog';

/** What the user of a soak test deliberately did with a question. */
export type Deed = { readonly verdict: 'allowed' | 'denied'; readonly how: 'click' | 'key' };

/** The mismatches between the log and what was done, a sentence each, and the number of calls by decision. */
export interface Account {
  readonly problems: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
}

function numberOf({ arguments: kept }: CallBegun): number {
  return 'value' in kept ? (kept.value as { readonly n: number }).n : NaN;
}

/** Compares the log with what the user did; calls are identified by their argument `n`, counted from 1 to `wanted`. */
export function accountFor(
  records: readonly AuditRecord[],
  deeds: ReadonlyMap<number, Deed>,
  wanted: number,
): Account {
  const problems: string[] = [];
  const counts: Record<string, number> = {};
  const begun = new Map<number, CallBegun[]>();
  for (const record of records) {
    if (record.kind !== 'callBegun') continue;
    const n = numberOf(record);
    begun.set(n, [...(begun.get(n) ?? []), record]);
  }
  const asked = new Set(records.flatMap((one) => (one.kind === 'callAsked' ? one.id : [])));
  const ended = new Set(records.flatMap((one) => (one.kind === 'callEnded' ? one.id : [])));
  for (let n = 1; n <= wanted; n += 1) {
    const [call, ...more] = begun.get(n) ?? [];
    if (!call || more.length > 0) {
      problems.push(`Call ${n} is in the log ${call ? more.length + 1 : 0} times.`);
      continue;
    }
    const { decision, decidedBy, id } = call;
    const who =
      decidedBy.kind === 'user' ? `${decidedBy.kind} by ${decidedBy.how}` : decidedBy.kind;
    const what = `${decision}, ${who}`;
    counts[what] = (counts[what] ?? 0) + 1;
    const deed = deeds.get(n);
    const meant = deed ? `${deed.verdict}, user by ${deed.how}` : 'nothing';
    if (what !== meant) problems.push(`Call ${n}: the log has “${what}”, the user did: ${meant}.`);
    if (!asked.has(id)) problems.push(`Call ${n} was never asked about.`);
    if (ended.has(id) !== (decision === 'allowed'))
      problems.push(`Call ${n} was ${decision}, and ${ended.has(id) ? 'sent' : 'not sent'}.`);
  }
  return { problems, counts };
}
