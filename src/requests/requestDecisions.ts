import type { AuditLog, AuditRetention } from '../audit/auditLog';
import { type AnsweredRequest, createRequestAudit } from '../audit/callAudit';
import { createLimiter, nextTurn } from '../base/async';
import type { Disposable } from '../base/disposable';
import { errorMessage } from '../base/errors';
import {
  type Decider,
  QuestionWithdrawn,
  type Withdrawal,
  withdrawnBy,
} from '../contracts/questionOutcome';
import { RequestRefused } from '../mcp/protocol/serverRequests';
import { ErrorCode } from '../mcp/protocol/rpcError';

/** A refusal together with who decided on it, which is nobody if the question was withdrawn. */
class Refusal extends RequestRefused {
  readonly decidedBy: Decider;

  constructor(decidedBy: Decider, message: string, code?: number) {
    super(message, code);
    this.decidedBy = decidedBy;
  }

  override get isFinal(): boolean {
    const { decidedBy } = this;
    return decidedBy.kind !== 'nobody' || !passing.has(decidedBy.because);
  }
}

/** The reasons that end a question but not what it was asked for: a task goes on at its server. */
const passing: ReadonlySet<Withdrawal> = new Set(['serverStopped', 'windowClosed']);

/** Returns the refusal of a user who rejected the request, in the protocol's own words (sampling, error handling). */
export function rejected(decidedBy: Decider): Refusal {
  return new Refusal(decidedBy, 'User rejected sampling request');
}

const reasons: Readonly<Record<Withdrawal, string>> = {
  cancelled: 'it was cancelled',
  serverStopped: 'the server stopped',
  windowClosed: 'the window was closed',
  deadline: 'it was not answered in time',
  paused: 'the server asked too much at once',
};

/** Returns a refusal because nobody decided; the protocol has no code for that, and the one for a rejection does not fit. */
export function withdrawnRefusal(because: Withdrawal): Refusal {
  return new Refusal(
    { kind: 'nobody', because },
    `The request was withdrawn before the user decided: ${reasons[because]}.`,
    ErrorCode.internal,
  );
}

/** The outcome of a server's request, who decided on it, and what is sent back. */
export interface SettledRequest<T> {
  readonly result: T;
  readonly action: string;
  readonly decidedBy: Decider;
}

/** Decides on requests from servers and records the outcome of each. */
export interface RequestDecisions extends Disposable {
  /** Runs `decide`, whose signal aborts with `signal` and when the window closes, and records the outcome. */
  run<T>(
    request: Pick<AnsweredRequest, 'server' | 'method' | 'question'>,
    signal: AbortSignal,
    decide: (signal: AbortSignal) => Promise<SettledRequest<T>>,
  ): Promise<T>;
}

/** Makes the {@link RequestDecisions} of this window; disposing withdraws what is undecided, and `retention` says what is kept. */
export function createRequestDecisions(
  auditLog: AuditLog,
  retention: AuditRetention,
): RequestDecisions {
  const write = createRequestAudit(auditLog, retention);
  const inTurn = createLimiter(1);
  const closed = new AbortController();
  // Many may end at once, and each may be large: only one is written in a turn of the event loop.
  const audit = (answer: AnsweredRequest) =>
    inTurn(async () => {
      await nextTurn();
      await write(answer);
    });
  const decideAndRecord: RequestDecisions['run'] = async (request, signal, decide) => {
    const either = AbortSignal.any([signal, closed.signal]);
    try {
      const { result, action, decidedBy } = await decide(either);
      await audit({ ...request, action, decidedBy, answer: result });
      return result;
    } catch (thrown) {
      const isTakenBack = either.aborted && !(thrown instanceof RequestRefused);
      const error = isTakenBack ? withdrawnRefusal(withdrawnBy(either).reason) : thrown;
      await audit({ ...request, ...refusalOf(error), answer: errorMessage(error) });
      throw error;
    }
  };
  return {
    run: (...request) => auditLog.pending.track(decideAndRecord(...request)),
    dispose: () => closed.abort(new QuestionWithdrawn('windowClosed')),
  };
}

/** Returns what the log records of a request that was answered with an error. */
function refusalOf(error: unknown): Omit<SettledRequest<unknown>, 'result'> {
  const decidedBy = error instanceof Refusal ? error.decidedBy : ({ kind: 'client' } as const);
  if (decidedBy.kind === 'nobody') return { action: 'withdrawn', decidedBy };
  return { action: error instanceof RequestRefused ? 'refused' : 'failed', decidedBy };
}
