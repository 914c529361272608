import { neverAborted } from '../../base/async';
import type { Questions } from './questions';
import type { QuestionInfo, QuestionContext } from './question';

/** The placeholder for the server in forms that are about none. */
export const noServer = { id: '', name: 'MCP Workbench' } as const;

/**
 * Shows one of our own forms in turn with all other questions: at once by an action of the user, and for what others
 * began, such as a link of a page, only once nobody types; `undefined` if withdrawn.
 */
export async function askOwn<T>(
  questions: Pick<Questions, 'ask'>,
  about: Pick<QuestionInfo, 'server' | 'what' | 'form'> & Required<Pick<QuestionInfo, 'asked'>>,
  ask: (context: QuestionContext) => Promise<T>,
): Promise<T | undefined> {
  const info = { ...about, kind: 'form' } as const;
  const outcome = await questions.ask({ info, ask }, neverAborted());
  return outcome.kind === 'answered' ? outcome.answer : undefined;
}
