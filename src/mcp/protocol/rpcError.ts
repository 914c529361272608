import { asRecord } from '../../base/json';
import { causesOf, WordedError } from '../../base/errors';
import { truncate } from '../../base/text/text';
import type { Sentence } from '../../base/translate';

/** JSON-RPC error codes that this client tells apart. */
export const ErrorCode = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedProtocolVersion: -32022,
  urlElicitationRequired: -32042,
} as const;

/** No message of an error is longer, whoever is shown it: in UTF-16 units. */
const longestMessage = 10_000;

/** A JSON-RPC error that the server answered with; `message` and `data` are the server's words, but for a sentence of ours. */
export class RpcError extends WordedError {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;
  /** The status of the HTTP error that it came with, if it did. */
  readonly httpStatus: number | undefined;

  constructor(code: number, message: string | Sentence, data?: unknown, httpStatus?: number) {
    super(typeof message === 'string' ? truncate(message, longestMessage) : message);
    this.code = code;
    this.data = data;
    this.httpStatus = httpStatus;
  }
}

/** The error of the protocol that something was thrown for, if it was; a chain of causes is followed a few steps. */
export function findRpcError(error: unknown): RpcError | undefined {
  return causesOf(error).find((one) => one instanceof RpcError);
}

/** No answer came in time; the server was told that the request is cancelled. */
export class DeadlineError extends WordedError {
  override readonly name = 'DeadlineError';
}

/** The connection ended, or the stream of this one request did, before the answer came. */
export class ConnectionLostError extends WordedError {
  override readonly name = 'ConnectionLostError';
}

/** Reads the `error` of a JSON-RPC response, however malformed it is. */
export function readRpcError(error: unknown, httpStatus?: unknown): RpcError {
  const { code, message, data } = asRecord(error);
  return new RpcError(
    typeof code === 'number' ? code : 0,
    typeof message === 'string' && message ? message : (t) => t('The server gave no reason.'),
    data,
    typeof httpStatus === 'number' ? httpStatus : undefined,
  );
}

/** Reads a JSON-RPC error that came as the body of an HTTP error, as some servers answer. */
export function readHttpError(error: unknown): RpcError | undefined {
  const { data } = error as { readonly data?: Readonly<Record<string, unknown>> };
  const text = data?.['text'];
  if (typeof text !== 'string' || !text.startsWith('{')) return undefined;
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    if (body['jsonrpc'] !== '2.0' || !body['error']) return undefined;
    return readRpcError(body['error'], data?.['status']);
  } catch {
    return undefined;
  }
}
