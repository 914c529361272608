import { formatBytes } from '../../../base/text/text';
import type { Translate } from '../../../base/translate';
import { answeredId } from '../../protocol/answeredId';
import { ErrorCode } from '../../protocol/rpcError';
import type { OversizedLine } from './lineFramer';

/** Returns what to say about a message over a limit, and the error to deliver in its place if it was an answer. */
export function describeOversized(line: OversizedLine, maxBytes: number, t: Translate) {
  const { bytes, excess, head, tail } = line;
  const message =
    excess?.(t) ??
    t(
      'The server sent a message of {0}; the limit is {1}.',
      formatBytes(bytes),
      formatBytes(maxBytes),
    );
  const id = answeredId(head, tail);
  const answer =
    id === undefined
      ? undefined
      : { jsonrpc: '2.0' as const, id, error: { code: ErrorCode.internal, message } };
  return { message, answer };
}
