import { inEnglish } from '../base/translate';
import { measureJson } from '../base/measureJson';
import type { AuditLog, CallBegun, CallEnded } from './auditLog';
import { toolIdentity } from '../mcp/serverIdentity';
import { fingerprint } from '../base/fingerprint';
import { keptName, keptText, keptValue, type Keeping } from './loggedValue';
import { canonicalJson } from '../base/json';
import type { Decision } from '../contracts/decision';
import type { SentOutcome, ToolCall } from '../contracts/toolCalls';
import { displayName } from '../mcp/protocol/types';

interface DecidedCall {
  readonly call: ToolCall;
  readonly decision: Decision;
}

/** The record of what becomes of one call; each method resolves when its part is on disk. */
export interface CallRecord {
  readonly id: string;
  /** Records that the user is asked about the call. */
  asked(call: ToolCall): Promise<void>;
  /** Records what was decided, before anything is sent. */
  begun(decided: DecidedCall, proposed: unknown): Promise<void>;
  /** Records that this window follows a call that another one sent. */
  resumed(): Promise<void>;
  /** Records how the call ended after it was sent. */
  ended(outcome: SentOutcome): Promise<void>;
}

/** A call whose record was opened before, perhaps by another window. */
export interface OpenedCall {
  readonly id: string;
  /** When it was sent, in epoch milliseconds. */
  readonly startedAt: number;
}

/** Opens the record of a new call, or reopens that of a call that has not ended. */
export type CallAudit = (opened?: OpenedCall) => CallRecord;

/** Records that a call was lost with its window; resolves when that is on disk. */
export function recordLost(log: AuditLog, id: string): Promise<void> {
  return log.write({ kind: 'callEnded', id, time: new Date().toISOString(), outcome: 'lost' });
}

/** Makes the {@link CallAudit} of this window; `keeping` says what is kept of arguments and messages. */
export function createCallAudit(log: AuditLog, keeping: Keeping): CallAudit {
  return (opened) => {
    const id = opened?.id ?? crypto.randomUUID();
    let started = opened?.startedAt ?? Date.now();
    const here = () => ({ id, time: new Date().toISOString(), session: log.session });
    const common = ({ server, tool, origin }: ToolCall) => ({
      ...here(),
      server: { id: keptName(server.id), name: keptName(server.name) },
      tool: keptName(tool.name),
      ...(displayName(tool) !== tool.name && { title: keptName(displayName(tool)) }),
      ...(origin.kind === 'agent' && { agent: keptName(origin.label) }),
    });
    return {
      id,
      asked: (call) => log.write({ kind: 'callAsked', ...common(call) }),
      async begun({ call, decision }, proposed) {
        started = Date.now();
        const { verdict, decidedBy, reason } = decision;
        const identity = await toolIdentity(call.server, call.tool);
        const begun: CallBegun = {
          kind: 'callBegun',
          ...common(call),
          origin: call.origin.kind,
          launchFingerprint: identity.launchFingerprint,
          toolFingerprint: await fingerprint(identity),
          decision: verdict,
          decidedBy,
          ...(reason !== undefined && { reason: keptText(reason, keeping) }),
          edited: canonicalJson(call.arguments) !== canonicalJson(proposed),
          argumentBytes: measureJson(call.arguments).bytes,
          arguments: await keptValue(call.arguments, keeping),
        };
        await log.write(begun);
      },
      resumed: () => log.write({ kind: 'callResumed', ...here() }),
      ended: (outcome) =>
        log.write({
          kind: 'callEnded',
          id,
          time: new Date().toISOString(),
          durationMs: Date.now() - started,
          ...ending(outcome, keeping),
        }),
    };
  };
}

function ending(
  outcome: SentOutcome,
  keeping: Keeping,
): Pick<CallEnded, 'outcome' | 'resultBytes' | 'message'> {
  switch (outcome.kind) {
    case 'result':
      return {
        outcome: outcome.result.isError ? 'toolError' : 'result',
        resultBytes: measureJson(outcome.result).bytes,
        ...(outcome.problems.length > 0 && {
          message: keptText(outcome.problems.map((each) => each(inEnglish)).join(' '), keeping),
        }),
      };
    case 'failed':
      return { outcome: 'failed', message: keptText(outcome.message(inEnglish), keeping) };
    case 'cancelled':
      return { outcome: 'cancelled' };
  }
}
