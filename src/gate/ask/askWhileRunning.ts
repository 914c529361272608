import {
  QuestionWithdrawn,
  withdrawnBy,
  type QuestionOutcome,
} from '../../contracts/questionOutcome';
import type { CallQuestions } from './callQuestions';
import type { CallQuestion, Settled } from './question';

/** Asks about a call, and withdraws the question if its server stops or fails in the meantime. */
export async function askWhileRunning(
  questions: Pick<CallQuestions, 'ask'>,
  question: CallQuestion,
  signal: AbortSignal,
): Promise<QuestionOutcome<Settled>> {
  const ended = new AbortController();
  const { server } = question.call;
  let before = server.state.kind;
  const states = server.onDidChangeState(({ kind }) => {
    // A server that is stopped may only turn out to lack something for its start.
    const isNew = kind !== before;
    before = kind;
    if (isNew && (kind === 'stopped' || kind === 'failed'))
      ended.abort(new QuestionWithdrawn('serverStopped'));
  });
  const either = AbortSignal.any([signal, ended.signal]);
  try {
    const outcome = await questions.ask(question, either);
    // Whatever withdrew the question first is the reason, no matter what has ended since.
    return either.aborted && outcome.kind === 'answered' ? withdrawnBy(either) : outcome;
  } finally {
    states.dispose();
  }
}
