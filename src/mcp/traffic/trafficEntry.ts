import type { JsonRecord } from '../../base/json';

/** What one side sent to the other: a message of the protocol, or the beginning of one that was too large to keep. */
export interface TrafficMessage {
  readonly value: unknown;
  /** True where only its beginning was kept. */
  readonly isCut: boolean;
}

/** An answer, and how many milliseconds after its request it came. */
export interface TrafficAnswer extends TrafficMessage {
  readonly durationMs: number;
}

/** Why a request has no answer and will have none, and how many milliseconds after it began that was known. */
export interface TrafficFailure {
  readonly error: unknown;
  readonly durationMs: number;
}

/** One thing that went to or came from a server, in the order in which it began. */
export interface TrafficEntry extends TrafficMessage {
  /** Counts from 1 for as long as the window lives. */
  readonly number: number;
  /** In milliseconds since 1970. */
  readonly time: number;
  readonly direction: 'sent' | 'received';
  /** A `response` here has no request among what is kept. The value of `stderr` is a line. */
  readonly kind: 'request' | 'notification' | 'response' | 'stderr';
  /** Empty where it is no request and no notification. */
  readonly method: string;
  /** What a request was answered with, once it was. */
  readonly answer?: TrafficAnswer;
  /** What a request ended with in place of an answer: a deadline, the end of the connection or a cancellation say. */
  readonly failure?: TrafficFailure;
}

/** How a request ended, as far as it has. */
export type TrafficOutcome =
  | { readonly kind: 'none' | 'waiting' | 'done' | 'toolError' }
  | { readonly kind: 'error'; readonly code: unknown; readonly message: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

/** How what an entry stands for ended. */
export function outcomeOfEntry(entry: TrafficEntry): TrafficOutcome {
  if (entry.failure) return { kind: 'failed', error: entry.failure.error };
  if (entry.kind === 'request' && !entry.answer) return { kind: 'waiting' };
  const answer = entry.kind === 'response' ? entry : entry.answer;
  if (!answer) return { kind: 'none' };
  const { error, result } = fieldsOf(answer.value);
  if (error !== undefined) {
    const { code, message } = fieldsOf(error);
    return { kind: 'error', code, message };
  }
  return { kind: fieldsOf(result)['isError'] === true ? 'toolError' : 'done' };
}

function fieldsOf(value: unknown): JsonRecord {
  return typeof value === 'object' && value !== null ? (value as JsonRecord) : {};
}
