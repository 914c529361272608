import type { JSONRPCMessage, JSONRPCRequest } from '@modelcontextprotocol/client';
import { isRecord, type JsonRecord } from '../../../base/json';
import { readRpcError, RpcError } from '../../protocol/rpcError';
import type { Frame } from '../lane/frames';

const methods: readonly string[] = ['initialize', 'server/discover'];

const notAnObject = new RpcError(0, (t) => t('The server sent a result that is not an object.'));

/** The answers to the requests that open a session, as a client can take them: a malformed one makes it wait forever. */
export class HandshakeAnswers {
  /** Returns what the client gets in place of a result. */
  mend: (method: string, result: JsonRecord) => JsonRecord = (_method, result) => result;
  private readonly asked = new Map<string | number, string>();

  /** Notes a request of the client. */
  sent({ id, method }: JSONRPCRequest): void {
    if (methods.includes(method)) this.asked.set(id, method);
  }

  /** Returns the message, or one that the client can take in its place. */
  mended(message: JSONRPCMessage, { id, method, result, error }: Frame): JSONRPCMessage {
    if (id === undefined || id === null || method !== undefined) return message;
    const asked = this.asked.get(id);
    if (asked === undefined) return message;
    this.asked.delete(id);
    const answered = { jsonrpc: '2.0', id } as const;
    if (error === undefined && isRecord(result))
      return { ...answered, result: this.mend(asked, result) };
    const { code, message: reason, data } = error === undefined ? notAnObject : readRpcError(error);
    return { ...answered, error: { code: Math.trunc(code), message: reason, data } };
  }
}
