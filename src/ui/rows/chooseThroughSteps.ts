import { delay } from '../../base/async';
import type { Questions } from '../questions/questions';
import { takeStep, type NextStep } from './nextSteps';
import { doubleClickMs } from './rowClicks';

/**
 * Lets the user choose from a list, which is shown again after a row of it has led to a running server, unless they
 * have turned to something else, or are asked something, in the meantime; `undefined` if they choose nothing.
 */
export async function chooseThroughSteps<T extends Partial<NextStep>>(
  choose: () => Promise<T | undefined>,
  questions: Pick<Questions, 'isAsking' | 'workedElsewhere'>,
): Promise<T | undefined> {
  for (;;) {
    const chosen = await choose();
    if (chosen?.next === undefined) return chosen;
    const since = Date.now();
    if (!isRunning(await takeStep(chosen.next))) return undefined;
    // The second click of a double click on the answer to a question must not choose a row.
    await delay(doubleClickMs);
    if (questions.isAsking || questions.workedElsewhere(since)) return undefined;
  }
}

/** True if a command that starts servers, or signs in to one, returned that a server is running. */
function isRunning(outcomes: unknown): boolean {
  return [outcomes].flat().some((outcome) => (outcome as { kind?: unknown })?.kind === 'running');
}
