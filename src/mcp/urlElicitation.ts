import { once, type Event } from '../base/event';
import type { AnswerServer } from './answerServer';
import { ErrorCode, RpcError } from './rpcError';

type Params = Readonly<Record<string, unknown>>;

/** How long a person may take on the pages that a server sent them to. */
const patienceMs = 15 * 60_000;

/**
 * Sends a request that the server may refuse until the person has been to a page (2025-11-25, URL
 * mode elicitation, error -32042): then the person is asked, the server's word that the visit is
 * complete is awaited, and the request is sent once more. Rejects with the refusal when declined.
 */
export async function afterUrlElicitation(
  send: () => Promise<Params>,
  answer: AnswerServer,
  onNotification: Event<{ readonly method: string; readonly params: Params }>,
  signal?: AbortSignal,
): Promise<Params> {
  try {
    return await send();
  } catch (error) {
    const questions = readQuestions(error);
    if (questions.length === 0) throw error;
    const done = new AbortController();
    const until = AbortSignal.any([
      done.signal,
      AbortSignal.timeout(patienceMs),
      ...(signal ? [signal] : []),
    ]);
    try {
      for (const question of questions) {
        const completed = once(
          onNotification,
          ({ method, params }) =>
            method === 'notifications/elicitation/complete' &&
            params['elicitationId'] === question['elicitationId'],
          until,
        );
        // The visit may be over before the answer is, and a refusal makes it irrelevant.
        completed.catch(() => {});
        const { action } = await answer('elicitation/create', { ...question, mode: 'url' }, until);
        if (action !== 'accept') throw error;
        await completed;
      }
    } finally {
      done.abort();
    }
    return send();
  }
}

function readQuestions(error: unknown): readonly Params[] {
  if (!(error instanceof RpcError) || error.code !== ErrorCode.urlElicitationRequired) return [];
  const list = (error.data as { readonly elicitations?: unknown } | undefined)?.elicitations;
  return Array.isArray(list) ? (list as Params[]) : [];
}
