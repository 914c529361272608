import { delay } from '../../../base/async';
import { errorMessage } from '../../../base/errors';
import { backoffMs } from '../../../base/pace/backoff';
import { ErrorCode, RpcError } from '../../protocol/rpcError';
import { ServerStoppedError } from './serverStopped';

const defaultPollMs = 1000;
const shortestPollMs = 100;
/** The longest time between polls: a server may ask for any, but a timer of more than a few weeks would fire immediately. */
const longestPollMs = 60 * 60_000;

/** After this many failures in a row to read its state, a task is given up. */
export const maxTaskFailures = 8;

/** Waits as long as the server asks between polls of a task, and twice as long after each of the `failures` in a row. */
export function untilNextPoll(
  askedMs: number | undefined,
  failures: number,
  signal: AbortSignal,
): Promise<void> {
  const firstMs = Math.max(askedMs ?? defaultPollMs, shortestPollMs);
  return delay(backoffMs({ firstMs, longestMs: longestPollMs }, failures), signal);
}

/**
 * Returns how many failures in a row it is with this one, after `before` others; throws if asking again is no use:
 * after a `verdict` of the server, after the user stopped it or withdrew the task, or after too many failures.
 */
export function countFailure(
  error: unknown,
  before: number,
  signal: AbortSignal,
  verdict: Error | undefined,
): number {
  const isOver = signal.aborted || error instanceof ServerStoppedError;
  if (verdict || isOver) throw verdict ?? error;
  const failures = before + 1;
  if (failures < maxTaskFailures) return failures;
  throw new RpcError(0, (t) =>
    t(
      'The state of the task could not be read {0} times: {1}',
      String(failures),
      errorMessage(error, t),
    ),
  );
}

/** Returns the error of a server for which asking again would not help; `undefined` if it may help. */
export function refusalIn(error: unknown): RpcError | undefined {
  const refusal = error instanceof RpcError ? error : causeOf(error);
  if (!refusal) return undefined;
  switch (refusal.code) {
    case ErrorCode.invalidParams:
      return new RpcError(refusal.code, (t) =>
        t(
          'The server no longer knows the task: it expired, or the server was restarted. ({0})',
          refusal.message,
        ),
      );
    case ErrorCode.internal:
      return undefined;
    default:
      return refusal;
  }
}

function causeOf(error: unknown): RpcError | undefined {
  return error instanceof Error && error.cause instanceof RpcError ? error.cause : undefined;
}
