import type { Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { PendingWork } from '../base/pendingWork';
import type { Decider, Decision } from '../contracts/decision';
import type { CallOrigin } from '../contracts/toolCalls';
import type { KeptValue } from './keptValue';

/** A call that the user is asked about, written before the question shows. */
export interface CallAsked {
  readonly kind: 'callAsked';
  /** The same as of the {@link CallBegun} that follows, unless the window ended before. */
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  /** One per window. */
  readonly session: string;
  readonly server: { readonly id: string; readonly name: string };
  readonly tool: string;
}

/** A call of a tool, written when it was decided on and before anything is sent. */
export interface CallBegun {
  readonly kind: 'callBegun';
  readonly id: string;
  /** ISO 8601. */
  readonly time: string;
  /** One per window. */
  readonly session: string;
  readonly origin: CallOrigin['kind'];
  readonly server: { readonly id: string; readonly name: string };
  readonly tool: string;
  /** Fingerprints of the launch configuration and of the tool's whole identity. */
  readonly launchFingerprint: string;
  readonly toolFingerprint: string;
  /** Without secrets, or only their fingerprint where the user wants no more kept. */
  readonly arguments: KeptValue;
  /** The size of the arguments as JSON. */
  readonly argumentBytes: number;
  /** True when the user changed what the model proposed. */
  readonly edited: boolean;
  readonly decision: Decision['verdict'];
  readonly decidedBy: Decider;
  readonly reason?: string;
}

/** A call that this window follows to its end from here on, which another one began. */
export interface CallResumed {
  readonly kind: 'callResumed';
  /** The same as of its {@link CallBegun}. */
  readonly id: string;
  readonly time: string;
  readonly session: string;
}

/** How a call ended that was sent. */
export interface CallEnded {
  readonly kind: 'callEnded';
  /** The same as of its {@link CallBegun}. */
  readonly id: string;
  readonly time: string;
  readonly outcome: 'result' | 'toolError' | 'failed' | 'cancelled';
  readonly message?: string;
  readonly durationMs: number;
  /** The size of the result as JSON. */
  readonly resultBytes?: number;
}

/** A question of a server to the user or to a model, and what became of it. */
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
  /** Absent in what earlier versions wrote. */
  readonly decidedBy?: Decider;
  readonly answer?: unknown;
}

/** One line of the audit log. */
export type AuditRecord = CallAsked | CallBegun | CallResumed | CallEnded | RequestAnswered;

/** What the audit log holds, the oldest first. */
export interface KeptRecords {
  readonly records: readonly AuditRecord[];
  /** How many more were begun to be written when their window was killed. */
  readonly lost: number;
}

/** The log of what was decided and done, which only grows. */
export interface AuditLog {
  /** Tells this window's records from those of others. */
  readonly session: string;
  /** Resolves when the record is on disk; a failure is reported there and does not reject. */
  write(record: AuditRecord): Promise<void>;
  read(): Promise<KeptRecords>;
  /** Fires with each record of this window that is on disk. */
  readonly onDidWrite: Event<AuditRecord>;
  /** Calls back when any window may have written, until it is disposed. */
  watch(changed: () => void): Disposable;
  /** What will be written down when it ends: a window that closes waits for it. */
  readonly pending: PendingWork;
}
