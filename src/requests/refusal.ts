import type { Decider } from '../contracts/decision';
import type { Withdrawal } from '../contracts/questionOutcome';
import { RequestRefused } from '../mcp/protocol/clientRequests';
import { ErrorCode } from '../mcp/protocol/rpcError';

/** A refusal that somebody decided on, or nobody where the question was withdrawn. */
export class Refusal extends RequestRefused {
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

/** What ends a question and not what it was asked for: a task goes on at its server. */
const passing: ReadonlySet<Withdrawal> = new Set(['serverStopped', 'windowClosed']);

/** Refuses in the protocol's own words for a user who does not want to (sampling, error handling). */
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

/** Says that nobody decided. The protocol has no code for that, and the user's is not for it. */
export function withdrawnRefusal(because: Withdrawal): Refusal {
  return new Refusal(
    { kind: 'nobody', because },
    `The request was withdrawn before the user decided: ${reasons[because]}.`,
    ErrorCode.internal,
  );
}
