import { isTimeout } from '../base/errors';
import { ConnectionLostError } from '../mcp/protocol/rpcError';

/** How the user answered: by clicking a row or a button, or with a key. */
export type AnsweredBy = 'click' | 'key';

/**
 * Why a question ended without an answer: its cause ended, or its time was up; `paused` if its server asked
 * so much that it was never shown.
 */
export const withdrawals = [
  'cancelled',
  'serverStopped',
  'windowClosed',
  'deadline',
  'paused',
] as const;

/** One of {@link withdrawals}. */
export type Withdrawal = (typeof withdrawals)[number];

/** How a question ended. Only `answered` is a decision by the user; declining several at once is one, too. */
export type QuestionOutcome<T> =
  { readonly kind: 'answered'; readonly answer: T; readonly how: AnsweredBy } | Withdrawn;

/** A question that nobody answered. */
export interface Withdrawn {
  readonly kind: 'withdrawn';
  readonly reason: Withdrawal;
}

/** The reason that an abort signal carries when it ends a question for anything but a cancelled request. */
export class QuestionWithdrawn extends Error {
  override readonly name = 'AbortError';
  readonly reason: Withdrawal;

  constructor(reason: Withdrawal) {
    super(`The question was withdrawn: ${reason}`);
    this.reason = reason;
  }
}

/** Returns the outcome of a question that `signal` withdrew. */
export function withdrawnBy({ reason }: AbortSignal): Withdrawn {
  return { kind: 'withdrawn', reason: withdrawalOf(reason) };
}

function withdrawalOf(reason: unknown): Withdrawal {
  if (reason instanceof QuestionWithdrawn) return reason.reason;
  if (reason instanceof ConnectionLostError) return 'serverStopped';
  return isTimeout(reason) ? 'deadline' : 'cancelled';
}
