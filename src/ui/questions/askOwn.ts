import { neverAborted } from '../../base/abort';
import type { Questions } from './questions';
import { byUser, type Cause, type Stage } from './stage';

/** The placeholder for the server in forms that are about none. */
export const noServer = { id: '', name: 'MCP Workbench' } as const;

/** What one of our own forms is about. */
type About = Pick<Cause, 'server' | 'what' | 'form'>;

/** Shows one of our own forms, which the user wants now, in turn with all other questions; `undefined` if withdrawn. */
export function askOwn<T>(
  questions: Pick<Questions, 'ask'>,
  about: About,
  ask: (stage: Stage) => Promise<T>,
): Promise<T | undefined> {
  return askForm(questions, { ...about, kind: 'form', asked: byUser() }, ask);
}

/** Shows one of our own forms for what others began, such as a link of a page: only once nobody types. */
export function askForOthers<T>(
  questions: Pick<Questions, 'ask'>,
  about: About,
  ask: (stage: Stage) => Promise<T>,
): Promise<T | undefined> {
  return askForm(questions, { ...about, kind: 'form' }, ask);
}

async function askForm<T>(
  questions: Pick<Questions, 'ask'>,
  cause: Cause,
  ask: (stage: Stage) => Promise<T>,
): Promise<T | undefined> {
  const outcome = await questions.ask({ cause, ask }, neverAborted());
  return outcome.kind === 'answered' ? outcome.answer : undefined;
}
