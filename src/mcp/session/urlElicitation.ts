import { once, type Event } from '../../base/event';
import { recordsOf } from '../../base/json';
import type { AnswerServer } from './answerServer';
import { ErrorCode, RpcError } from '../protocol/rpcError';

type Params = Readonly<Record<string, unknown>>;

/** How long a user may take on the pages that a server sent them to. */
const patienceMs = 15 * 60_000;

/**
 * Sends a request that the server may refuse until the user has visited a page (2025-11-25, URL mode
 * elicitation, error -32042): then the user is asked to, and when the server or the user says that the
 * visit is complete, the request is sent once more. Rejects with the refusal if the user declines.
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
      // Without its id, it is a visit that the user, too, can say is over: the server may never say so.
      for (const { elicitationId, ...question } of questions) {
        const over = new AbortController();
        const isOver = ({ method, params }: { readonly method: string; readonly params: Params }) =>
          method === 'notifications/elicitation/complete' &&
          params['elicitationId'] === elicitationId;
        once(onNotification, isOver, until).then(
          () => over.abort(),
          () => {},
        );
        const visit = AbortSignal.any([until, over.signal]);
        const { action } = await answer('elicitation/create', { ...question, mode: 'url' }, visit);
        if (action !== 'accept' && !over.signal.aborted) throw error;
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
  return recordsOf(list);
}
