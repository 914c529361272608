import { inEnglish } from '../base/translate';
import { measureJson } from '../base/measureJson';
import {
  type AuditLog,
  type CallBegun,
  type CallEnded,
  type AuditRetention,
  keptName,
  keptText,
  keptValue,
} from './auditLog';
import { identityFingerprint, toolIdentity, type ToolIdentity } from '../mcp/serverIdentity';
import { canonicalJson } from '../base/json';
import type { Decider, Decision } from '../contracts/questionOutcome';
import type { SentOutcome, ToolCall } from '../contracts/toolCalls';
import { displayName } from '../mcp/protocol/types';
import { truncate } from '../base/text/text';
import type { AskingServer } from '../mcp/protocol/serverRequests';

/** The outcome of a question: who asked what, what was decided, and what was sent back. */
export interface AnsweredRequest {
  readonly server: AskingServer;
  readonly method: string;
  readonly question: unknown;
  readonly action: string;
  readonly decidedBy: Decider;
  readonly answer?: unknown;
}

/** Records what a server asked and what was answered. */
type WriteAnswered = (request: AnsweredRequest) => Promise<void>;

/** Base64 that is longer than this is media, not text. */
const mediaLength = 256;
const maxDepth = 100;

/** Makes the function that records this window's questions; `retention` says what is kept of them. */
export function createRequestAudit(log: AuditLog, retention: AuditRetention): WriteAnswered {
  const kept = (value: unknown) =>
    keptValue(retention.keep() === 'hashes' ? value : withoutMedia(value), retention);
  return async ({ server, method, question, action, decidedBy, answer }) =>
    log.write({
      kind: 'requestAnswered',
      id: crypto.randomUUID(),
      time: new Date().toISOString(),
      session: log.session,
      server: { id: keptName(server.id), name: keptName(server.name) },
      method,
      question: await kept(question),
      action,
      decidedBy,
      ...(answer !== undefined && { answer: await kept(answer) }),
    });
}

/** Returns a value with the bytes of media shortened; what is nested deeper than any record is left as it is. */
function withoutMedia(value: unknown, depth = 0): unknown {
  if (depth > maxDepth) return value;
  if (Array.isArray(value)) return value.map((part) => withoutMedia(part, depth + 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, part]) => [
      name,
      (name === 'data' || name === 'blob') && typeof part === 'string' && part.length > mediaLength
        ? truncate(part, 32)
        : withoutMedia(part, depth + 1),
    ]),
  );
}

/** Returns the call that a row of the tool log stands for, if it stands for one. */
export function replayable(node: unknown): CallBegun | undefined {
  if (typeof node !== 'object' || node === null || !('begun' in node)) return undefined;
  return node.begun as CallBegun;
}

interface DecidedCall {
  readonly call: ToolCall;
  readonly decision: Decision;
  /** What was decided on; that of now if it is not known. */
  readonly identity?: ToolIdentity | undefined;
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

/** Makes the {@link CallAudit} of this window; `retention` says what is kept of arguments and messages. */
export function createCallAudit(log: AuditLog, retention: AuditRetention): CallAudit {
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
      async begun({ call, decision, identity: decidedOn }, proposed) {
        started = Date.now();
        const { verdict, decidedBy, reason } = decision;
        const identity = decidedOn ?? (await toolIdentity(call.server, call.tool));
        const begun: CallBegun = {
          kind: 'callBegun',
          ...common(call),
          origin: call.origin.kind,
          launchFingerprint: identity.launchFingerprint,
          toolFingerprint: await identityFingerprint(identity),
          decision: verdict,
          decidedBy,
          ...(reason !== undefined && { reason: keptText(reason, retention) }),
          edited: canonicalJson(call.arguments) !== canonicalJson(proposed),
          argumentBytes: measureJson(call.arguments).bytes,
          arguments: await keptValue(call.arguments, retention),
          ...(call.meta && { meta: await keptValue(call.meta, retention) }),
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
          ...ending(outcome, retention),
        }),
    };
  };
}

function ending(
  outcome: SentOutcome,
  retention: AuditRetention,
): Pick<CallEnded, 'outcome' | 'resultBytes' | 'message'> {
  switch (outcome.kind) {
    case 'result':
      return {
        outcome: outcome.result.isError ? 'toolError' : 'result',
        resultBytes: measureJson(outcome.result).bytes,
        ...(outcome.problems.length > 0 && {
          message: keptText(outcome.problems.map((each) => each(inEnglish)).join(' '), retention),
        }),
      };
    case 'failed':
      return { outcome: 'failed', message: keptText(outcome.message(inEnglish), retention) };
    case 'cancelled':
      return { outcome: 'cancelled' };
  }
}
