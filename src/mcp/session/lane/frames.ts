import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/json';

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
  return message;
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
