import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/client';
import { isRecord, type JsonRecord } from '../../../base/json';
import { readRpcError, RpcError } from '../../protocol/rpcError';
import type { Frame } from '../lane/frames';

const notAnObject = new RpcError(0, (t) => t('The server sent a result that is not an object.'));

/** The answers to `initialize`, as the client above can take them: a malformed one makes it wait forever. */
export class HandshakeAnswers {
  /** Returns what the client gets in place of a result. */
  mend: (result: JsonRecord) => JsonRecord = (result) => result;
  /** Ends the request itself when the question is abandoned, as its answer would still open a session. */
  abandoned: AbortSignal | undefined;
  private readonly asked = new Set<string | number>();

  /** Notes a request of the client; returns the signal that ends it, if it is `initialize`. */
  sent({ id, method }: JSONRPCRequest): AbortSignal | undefined {
    if (method !== 'initialize') return undefined;
    this.asked.add(id);
    return this.abandoned;
  }

  /** True if a question with this id was not answered yet. */
  awaits(id: number): boolean {
    return this.asked.has(id);
  }

  /** Returns the message, or one that the client can take in its place. */
  mended(message: JSONRPCMessage, { id, method, result, error }: Frame): JSONRPCMessage {
    if (id === undefined || id === null || method !== undefined) return message;
    if (!this.asked.delete(id)) return message;
    const answered = { jsonrpc: '2.0', id } as const;
    if (error === undefined && isRecord(result)) return { ...answered, result: this.mend(result) };
    const { code, message: reason, data } = error === undefined ? notAnObject : readRpcError(error);
    return { ...answered, error: { code: Math.trunc(code), message: reason, data } };
  }
}
