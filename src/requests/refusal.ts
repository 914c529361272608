import type { Decider, Withdrawal } from '../contracts/questionOutcome';
import { RequestRefused } from '../mcp/protocol/serverRequests';
import { ErrorCode } from '../mcp/protocol/rpcError';

/** A refusal together with who decided on it, which is nobody if the question was withdrawn. */
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
