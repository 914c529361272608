import {
  QuestionWithdrawn,
  withdrawnBy,
  type QuestionOutcome,
} from '../../contracts/questionOutcome';
import type { CallQuestions } from './callQuestions';
import type { Question, Settled } from './question';

/** Asks about a call, and takes the question back when its server stops or fails meanwhile. */
export async function askWhileRunning(
  questions: Pick<CallQuestions, 'ask'>,
  question: Question,
  signal: AbortSignal,
): Promise<QuestionOutcome<Settled>> {
  const ended = new AbortController();
  const states = question.call.server.onDidChangeState(({ kind }) => {
    if (kind === 'stopped' || kind === 'failed')
      ended.abort(new QuestionWithdrawn('serverStopped'));
  });
  const either = AbortSignal.any([signal, ended.signal]);
  try {
    const outcome = await questions.ask(question, either);
    // What took the question back first is the reason, whatever has ended since.
    return either.aborted && outcome.kind === 'answered' ? withdrawnBy(either) : outcome;
  } finally {
    states.dispose();
  }
}
