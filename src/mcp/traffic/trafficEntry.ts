import type { JsonRecord } from '../../base/json';
import type { HttpExchange } from './httpExchange';

/** A message that is nested deeper counts as too large. */
const deepest = 100;

/** The approximate size of a value in addition to its text, in bytes. */
const valueWeight = 8;

/**
 * Estimates how many bytes a message takes in memory; returns more than `limit` if it takes more or is nested
 * too deep. It runs for each message, so it does not look at characters and stops at the limit.
 */
export function estimateSize(message: unknown, limit: number): number {
  return limit - weigh(message, limit, 0);
}

/** How deep the lists of tools and the like are in an answer, and from which length on they are not weighed twice. */
const listDepth = 2;
const longList = 100;

/** What such lists weigh: an agent that asks again is sent the same one, until it changes. */
const listWeights = new WeakMap<readonly unknown[], number>();

/** Returns what is left of a weight; negative if it does not suffice. */
function weigh(value: unknown, left: number, depth: number): number {
  if (typeof value === 'string') return left - valueWeight - value.length;
  if (typeof value !== 'object' || value === null) return left - valueWeight;
  if (depth > deepest) return -1;
  let rest = left - 4 * valueWeight;
  if (Array.isArray(value)) {
    const isLong = depth === listDepth && value.length >= longList;
    const known = isLong ? listWeights.get(value) : undefined;
    if (known !== undefined) return rest - known;
    const before = rest;
    for (let at = 0; at < value.length && rest >= 0; at += 1)
      rest = weigh(value[at], rest, depth + 1);
    if (isLong && rest >= 0) listWeights.set(value, before - rest);
    return rest;
  }
  const fields = value as Readonly<Record<string, unknown>>;
  for (const name in fields) {
    if (rest < 0) break;
    rest = weigh(fields[name], rest - name.length, depth + 1);
  }
  return rest;
}

/** What one side sent to the other: a message of the protocol or a line, or part of one that was too large to keep. */
export interface TrafficMessage {
  readonly value: unknown;
  /** True if only a part was kept. */
  readonly isCut: boolean;
}

/** An answer, and how many milliseconds after its request it arrived. */
export interface TrafficAnswer extends TrafficMessage {
  readonly durationMs: number;
}

/** Why a request will never be answered, and how many milliseconds after its beginning that was known. */
export interface TrafficFailure {
  readonly error: unknown;
  readonly durationMs: number;
}

/** One thing that was sent to or received from a server; entries are in the order in which they began. */
export interface TrafficEntry extends TrafficMessage {
  /** Counts from 1 for the lifetime of the window. */
  readonly number: number;
  /** In epoch milliseconds. */
  readonly time: number;
  readonly direction: 'sent' | 'received';
  /** Who is at the other end in place of the server: an app of it, in its tab. */
  readonly peer?: 'app';
  /**
   * A `response` is one whose request is not among the kept entries; the value of `stderr` is a line, that of `exchange`
   * an {@link HttpExchange} that carries no message, such as one of a sign-in.
   */
  readonly kind: 'request' | 'notification' | 'response' | 'stderr' | 'exchange';
  /** The latest requests over HTTP that carried it, redirects and repetitions included. */
  readonly http?: readonly HttpExchange[];
  /** Empty unless it is a request or a notification; of an exchange, the method of HTTP. */
  readonly method: string;
  /** The answer to a request, once it has arrived. */
  readonly answer?: TrafficAnswer;
  /** What ended a request in place of an answer, such as a deadline, the end of the connection or a cancellation. */
  readonly failure?: TrafficFailure;
}

/** How a request ended, or that it has not; `none` for what has no outcome. */
export type TrafficOutcome =
  | { readonly kind: 'none' | 'waiting' | 'done' | 'toolError' }
  /** Over HTTP, it was answered by a status alone. */
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'error'; readonly code: unknown; readonly message: unknown }
  | { readonly kind: 'failed'; readonly error: unknown };

/** Returns the outcome of an entry. */
export function outcomeOfEntry(entry: TrafficEntry): TrafficOutcome {
  const { status } = entry.http?.at(-1) ?? {};
  const isRefused = status !== undefined && status >= 400 && !entry.answer;
  // What the transport made of it says less.
  if (isRefused) return { kind: 'refused', status };
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

/** Returns what a request for a list was answered with to ask for the next page; `undefined` if there is none. */
export function nextCursorOf({ direction, kind, isCut, answer }: TrafficEntry): string | undefined {
  if (direction !== 'sent' || kind !== 'request' || isCut) return undefined;
  const { nextCursor } = fieldsOf(fieldsOf(answer?.value)['result']);
  // Some servers end their lists so.
  return typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : undefined;
}

function fieldsOf(value: unknown): JsonRecord {
  return typeof value === 'object' && value !== null ? (value as JsonRecord) : {};
}
