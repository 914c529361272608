import { asRecord } from '../../base/json';
import { causesOf, errorMessage, LocalizedError } from '../../base/errors';
import { truncate } from '../../base/text/text';
import type { LocalizableMessage } from '../../base/translate';

/** The JSON-RPC error codes that this client distinguishes. */
export const ErrorCode = {
  methodNotFound: -32601,
  invalidParams: -32602,
  internal: -32603,
  headerMismatch: -32020,
  missingCapability: -32021,
  unsupportedProtocolVersion: -32022,
  urlElicitationRequired: -32042,
} as const;

/** The longest message of an error, in UTF-16 units. */
const longestMessage = 10_000;

/** A JSON-RPC error from the server; `message` and `data` are the server's words, unless the message is ours. */
export class RpcError extends LocalizedError {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;
  /** The status of the HTTP error that it came with, if any. */
  readonly httpStatus: number | undefined;

  constructor(
    code: number,
    message: string | LocalizableMessage,
    data?: unknown,
    httpStatus?: number,
  ) {
    super(typeof message === 'string' ? truncate(message, longestMessage) : message);
    this.code = code;
    this.data = data;
    this.httpStatus = httpStatus;
  }
}

/** Finds the JSON-RPC error among an error and its first few causes; `undefined` if there is none. */
export function findRpcError(error: unknown): RpcError | undefined {
  return causesOf(error).find((one) => one instanceof RpcError);
}

/** Returns what a peer is told of an error: the JSON-RPC error among it and its causes as it is, all else as an internal one. */
export function toRpcError(error: unknown): RpcError {
  return findRpcError(error) ?? new RpcError(ErrorCode.internal, errorMessage(error));
}

/** Thrown when no answer came in time; the server was told that the request is cancelled. */
export class DeadlineError extends LocalizedError {
  override readonly name = 'DeadlineError';
}

/** Thrown when the connection, or the stream of this one request, ended before the answer came. */
export class ConnectionLostError extends LocalizedError {
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

/** Reads the JSON-RPC error that some servers send as the body of an HTTP error; `undefined` if there is none. */
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
