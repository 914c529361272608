import { RpcError } from './rpcError';

/** What is known of a failed connection: an HTTP status, a code of the network or the protocol, the text of an answer. */
export interface ErrorFacts {
  readonly status?: number | undefined;
  readonly code?: unknown;
  readonly text?: string;
}

/** The HTTP status of an error that the transport threw. */
export function httpStatus(error: unknown): number | undefined {
  return readFacts(error).status;
}

/** Collects what an error of the SDK or of `fetch`, or one of its causes, says beside its message. */
export function readFacts(error: unknown): ErrorFacts {
  const facts: { status?: number | undefined; code?: unknown; text?: string } = {};
  for (let one = error, depth = 0; one instanceof Error && depth < 5; one = one.cause, depth += 1) {
    // What a server says in JSON-RPC, in whatever numbers, is no fact of the connection.
    if (one instanceof RpcError) facts.status ??= one.httpStatus;
    if (one instanceof RpcError) continue;
    const { code, data } = one as { readonly code?: unknown; readonly data?: unknown };
    const { status, text } = (data ?? {}) as { readonly status?: unknown; readonly text?: unknown };
    if (code !== undefined) facts.code = code;
    if (typeof status === 'number') facts.status ??= status;
    if (typeof text === 'string') facts.text ??= text;
    // The SDK's SSE transport carries the HTTP status as its code.
    if (typeof code === 'number' && code >= 400 && code < 600) facts.status ??= code;
    // Several addresses were tried: each has its own reason, usually the same.
    if (one instanceof AggregateError && code === undefined)
      facts.code = (one.errors[0] as { readonly code?: unknown } | undefined)?.code;
  }
  return facts;
}
