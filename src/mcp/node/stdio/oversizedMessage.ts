import { formatBytes } from '../../../base/text/text';
import type { Translate } from '../../../base/translate';
import { ErrorCode } from '../../protocol/rpcError';
import type { OversizedLine } from './lineFramer';

/** Where servers write the id of an answer: before its content, or after it. */
const idAtTheStart = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(\d+)\s*,/;
const idAtTheEnd = /,\s*"id"\s*:\s*(\d+)\s*(?:,\s*"jsonrpc"\s*:\s*"2\.0"\s*)?\}\s*$/;

/** What to say of a message over a limit, and the answer to give in its place if it was one. */
export function describeOversized(line: OversizedLine, maxBytes: number, t: Translate) {
  const { bytes, excess, head, tail } = line;
  const message =
    excess?.(t) ??
    t(
      'The server sent a message of {0}; the limit is {1}.',
      formatBytes(bytes),
      formatBytes(maxBytes),
    );
  const id = idAtTheStart.exec(head)?.[1] ?? idAtTheEnd.exec(tail)?.[1];
  const answer = id && {
    jsonrpc: '2.0' as const,
    id: Number(id),
    error: { code: ErrorCode.internal, message },
  };
  return { message, answer: answer || undefined };
}
