import { formatBytes } from '../../../base/text/text';
import { ErrorCode } from '../../protocol/rpcError';
import type { OversizedLine } from './lineFramer';

/** Where servers write the id of an answer: before its content, or after it. */
const idAtTheStart = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,/;
const idAtTheEnd = /,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** What to say of a message over the limit of `maxBytes`, and the answer to give in its place if it was one. */
export function describeOversized({ bytes, head, tail }: OversizedLine, maxBytes: number) {
  const message = `The server sent a message of ${formatBytes(bytes)}; the limit is ${formatBytes(maxBytes)}.`;
  const id = idAtTheStart.exec(head)?.[1] ?? idAtTheEnd.exec(tail)?.[1];
  const answer = id && {
    jsonrpc: '2.0' as const,
    id: Number(id),
    error: { code: ErrorCode.internal, message },
  };
  return { message, answer: answer || undefined };
}
