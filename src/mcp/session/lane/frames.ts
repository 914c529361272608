import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { isRecord } from '../../../base/json';

/** A message of the protocol whose parts are of kinds that can be compared; each may still hold anything. */
export interface Frame {
  readonly id?: string | number | null;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A message that is none of the protocol; says in a sentence why. */
export class MalformedFrameError extends Error {
  override readonly name = 'MalformedFrameError';
}

/** Looks at a message as it came in; throws a {@link MalformedFrameError} where it is none. */
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

/** The message without metadata that a client cannot read: it leaves a request with such without an answer. */
export function withReadableMeta(message: JSONRPCMessage, params: unknown): JSONRPCMessage {
  if (!isRecord(params) || params['_meta'] === undefined || isRecord(params['_meta']))
    return message;
  const { _meta, ...rest } = params;
  return { ...message, params: rest };
}
