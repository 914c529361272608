import { neverAborted } from '../../base/abort';
import type { Questions } from './questions';
import { byUser, type Cause, type Stage } from './stage';

/** The placeholder for the server in forms that are about none. */
export const noServer = { id: '', name: 'MCP Workbench' } as const;

/** Shows one of our own forms, which the user wants now, in turn with all other questions; `undefined` if withdrawn. */
export async function askOwn<T>(
  questions: Pick<Questions, 'ask'>,
  about: Pick<Cause, 'server' | 'what' | 'form'>,
  ask: (stage: Stage) => Promise<T>,
): Promise<T | undefined> {
  const cause = { ...about, kind: 'form', asked: byUser() } as const;
  const outcome = await questions.ask({ cause, ask }, neverAborted());
  return outcome.kind === 'answered' ? outcome.answer : undefined;
}
