import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { PendingWork } from '../base/async';
import type { Decider, Decision } from '../contracts/questionOutcome';
import type { CallOrigin } from '../contracts/toolCalls';
import { boundJson } from '../base/measureJson';
import { type Mask, maskedCopy } from '../base/secretMask';
import { redactSecrets, redactText } from '../base/secrets';
import { truncate } from '../base/text/text';
import { fingerprint } from '../base/bytes';

/** A value as the audit log keeps it: bounded and without secrets, or only its fingerprint. */
type LoggedValue = { readonly value: unknown } | { readonly fingerprint: string };

/** How the user wants values kept. */
type Keep = 'redacted' | 'hashes';

/** How the audit log keeps what it is given. */
export interface AuditRetention {
  readonly keep: () => Keep;
  /** Removes the secrets whose values are known. */
  readonly mask: Mask;
}

const maxString = 4000;
/** Two values and the rest of a record stay below 64 kB. */
const maxBytes = 24_000;
/** A secret that is cut off is not recognized as one. */
const beforeRedaction = { maxString: 2 * maxString, maxBytes: 4 * maxBytes };

/** Returns what the log keeps of a value. */
export async function keptValue(
  value: unknown,
  { keep, mask }: AuditRetention,
): Promise<LoggedValue> {
  if (keep() === 'hashes') return { fingerprint: await fingerprint(value) };
  const masked = maskedCopy(boundJson(value, beforeRedaction), withoutSecrets(mask));
  const redacted = redactSecrets(masked);
  return { value: boundJson(redacted, { maxString, maxBytes }) };
}

/** Returns what the log keeps of a sentence. */
export function keptText(text: string, { mask }: Pick<AuditRetention, 'mask'>): string {
  return truncate(withoutSecrets(mask)(truncate(text, beforeRedaction.maxString)), maxString);
}

/** Returns what the log keeps of the name of a server or a tool. */
export function keptName(name: string): string {
  return truncate(name, 500);
}

function withoutSecrets(mask: Mask): Mask {
  return (text) => redactText(mask(text));
}

/** Which call a record is about. */
interface RecordedCall {
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  /** One per window. */
  readonly session: string;
  readonly server: { readonly id: string; readonly name: string };
  readonly tool: string;
  /** What the tool is called for users, where that is not its name. */
  readonly title?: string;
  /** What users call the agent that wants it, if one does. */
  readonly agent?: string;
}

/**
 * A call that the user is asked about, written before the question is shown; the {@link CallBegun} that follows has the
 * same id, unless the window closes first.
 */
export interface CallAsked extends RecordedCall {
  readonly kind: 'callAsked';
}

/** A tool call, written after it is decided on and before anything is sent. */
export interface CallBegun extends RecordedCall {
  readonly kind: 'callBegun';
  readonly origin: CallOrigin['kind'];
  /** Fingerprints of the launch configuration and of the tool's whole identity. */
  readonly launchFingerprint: string;
  readonly toolFingerprint: string;
  /** Without secrets, or only their fingerprint if the user wants no more kept. */
  readonly arguments: LoggedValue;
  /** What the user wrote into `_meta` of the call, kept as its arguments are. */
  readonly meta?: LoggedValue;
  /** The size of the arguments as JSON. */
  readonly argumentBytes: number;
  /** True if the user changed the arguments that were proposed. */
  readonly edited: boolean;
  readonly decision: Decision['verdict'];
  readonly decidedBy: Decider;
  readonly reason?: string;
}

/** A call that another window began and that this one follows to its end from here on. */
export interface CallResumed {
  readonly kind: 'callResumed';
  /** The same as in its {@link CallBegun}. */
  readonly id: string;
  readonly time: string;
  readonly session: string;
}

/** How a call that was sent ended. */
export interface CallEnded {
  readonly kind: 'callEnded';
  /** The same as in its {@link CallBegun}. */
  readonly id: string;
  readonly time: string;
  /** `lost` if its window was closed before it ended, as a later one recorded. */
  readonly outcome: 'result' | 'toolError' | 'failed' | 'cancelled' | 'lost';
  readonly message?: string;
  /** Absent if it is not known when it ended. */
  readonly durationMs?: number;
  /** The size of the result as JSON. */
  readonly resultBytes?: number;
}

/** A server's question to the user or to a model, and its outcome. */
export interface RequestAnswered {
  readonly kind: 'requestAnswered';
  readonly id: string;
  readonly time: string;
  readonly session: string;
  readonly server: { readonly id: string; readonly name: string };
  /** The protocol's method, such as `sampling/createMessage`. */
  readonly method: string;
  readonly question: unknown;
  readonly action: string;
  /** Absent in records that earlier versions wrote. */
  readonly decidedBy?: Decider;
  readonly answer?: unknown;
}

/** One line of the audit log. */
export type AuditRecord = CallAsked | CallBegun | CallResumed | CallEnded | RequestAnswered;

/** The contents of the audit log, the oldest first. */
export interface AuditContents {
  readonly records: readonly AuditRecord[];
  /** How many more are incomplete, as their window was killed while it wrote them. */
  readonly lost: number;
}

/** The append-only log of what was decided and done. */
export interface AuditLog {
  /** The id that distinguishes this window's records from those of others. */
  readonly session: string;
  /** Resolves when the record is on disk; a failure is reported to the user and does not reject. */
  write(record: AuditRecord): Promise<void>;
  read(): Promise<AuditContents>;
  /** Fires with each record of this window once it is on disk. */
  readonly onDidWrite: Event<AuditRecord>;
  /** Calls `changed` when any window may have written, until disposed. */
  watch(changed: () => void): Disposable;
  /** The work that is recorded when it ends: a window that closes waits for it. */
  readonly pending: PendingWork;
}
