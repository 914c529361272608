import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/json';
import { estimateSize } from '../../traffic/trafficEntry';
import { unreadableResult } from '../../protocol/parseObject';

/** The most answers that may wait for one server: those to all requests that may be open, and as many refusals. */
export const maxUnsentAnswers = 400;

/** The most bytes, roughly, that these may take together; an answer that is the only one may have any size. */
export const maxUnsentBytes = 50_000_000;

/**
 * The answers to requests of one server that it has not taken yet. Beyond a limit, its requests are dropped, because a
 * refusal would be one more answer; meanwhile, what a user waits for is still sent.
 */
export class UnsentAnswers {
  /** Called whenever a request, or the answer to one, is dropped. */
  onDropped: (() => void) | undefined;

  private count = 0;
  private bytes = 0;

  /** True if a request of the server may be answered; otherwise it counts as dropped. */
  take(): boolean {
    return this.taken(this.count < maxUnsentAnswers && this.bytes < maxUnsentBytes);
  }

  /** Sends the answer with `send`, unless too many are waiting. */
  async send(answer: Parameters<Transport['send']>[0], send: () => Promise<void>): Promise<void> {
    const bytes = estimateSize(answer, maxUnsentBytes);
    const hasRoom = this.count < maxUnsentAnswers && this.bytes + bytes <= maxUnsentBytes;
    if (!this.taken(hasRoom || this.count === 0)) return;
    this.count += 1;
    this.bytes += bytes;
    try {
      await send();
    } finally {
      this.count -= 1;
      this.bytes -= bytes;
    }
  }

  private taken(isTaken: boolean): boolean {
    if (!isTaken) this.onDropped?.();
    return isTaken;
  }
}

/** A message of the protocol whose `id` and `method` have the right types; the other parts may still hold anything. */
export interface Frame {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** An error that says in a sentence why a message is not one of the protocol. */
export class MalformedFrameError extends Error {
  override readonly name = 'MalformedFrameError';
}

/** Reads a message as it came in; throws a {@link MalformedFrameError} if it is not one of the protocol. */
export function readFrame(message: unknown): Frame {
  if (!isRecord(message)) throw new MalformedFrameError('It is not an object.');
  const { id, method } = message;
  if (id !== undefined && id !== null && !isId(id))
    throw new MalformedFrameError('Its "id" is neither a string nor an integer.');
  if (method !== undefined && typeof method !== 'string')
    throw new MalformedFrameError('Its "method" is not a string.');
  const { result } = message;
  return isRecord(result) && Object.hasOwn(result, unreadableResult)
    ? { ...message, result: result[unreadableResult] }
    : message;
}

function isId(value: unknown): value is string | number {
  return typeof value === 'string' || Number.isInteger(value);
}

/** Returns the number that an id stands for if a server turned it into a text. */
export function idOfText(id: string): number | undefined {
  return /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}

/** Returns the message without metadata that the SDK's client cannot read, which would leave a request without an answer. */
export function withReadableMeta(message: JSONRPCMessage, params: unknown): JSONRPCMessage {
  if (!isRecord(params) || params['_meta'] === undefined || isRecord(params['_meta']))
    return message;
  const { _meta, ...rest } = params;
  return { ...message, params: rest };
}
