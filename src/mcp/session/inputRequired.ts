import { neverAborted } from '../../base/async';
import { isRecord, recordsOf } from '../../base/json';
import { type Note, isEmptyList, objectOf } from '../protocol/readAs';
import type { RequestRouter } from './requestRouter';
import { ErrorCode, RpcError } from '../protocol/rpcError';
import { type Event, once } from '../../base/event';

/** How long a user may take on the pages that a server sent them to. */
const visitTimeoutMs = 15 * 60_000;

/**
 * Sends a request that the server may refuse until the user has visited a page (2025-11-25, URL mode
 * elicitation, error -32042): then the user is asked to, and when the server or the user says that the
 * visit is complete, the request is sent once more. Rejects with the refusal if the user declines.
 */
export async function afterUrlElicitation(
  send: () => Promise<Params>,
  answer: RequestRouter,
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
      AbortSignal.timeout(visitTimeoutMs),
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

type Params = Readonly<Record<string, unknown>>;

/** How often a server may ask before it answers one request. */
const maxRounds = 10;

/** The options for completing a request. */
export interface CompletionOptions {
  readonly signal?: AbortSignal | undefined;
  /** The server may answer with a task (2026-07-28, tasks extension). */
  readonly acceptsTask?: boolean | undefined;
  /** Takes what is wrong with the answers. */
  readonly note?: Note | undefined;
}

/**
 * Sends a request until its answer is complete (2026-07-28, multi-round-trip requests): the questions
 * in an `input_required` answer are answered, and the request is sent again with the answers and the
 * server's `requestState`, both only for that one repetition.
 */
export async function untilComplete(
  send: (params: Params) => Promise<unknown>,
  params: Params,
  answer: RequestRouter,
  { signal, acceptsTask = false, note }: CompletionOptions = {},
): Promise<Params> {
  const known = (answered: Params) => knownResult(answered, acceptsTask);
  let result = asObject(await send(params), note);
  if (result['resultType'] !== 'input_required') return known(result);
  for (let round = 0; result['resultType'] === 'input_required'; round += 1) {
    if (round === maxRounds)
      throw new RpcError(0, (t) =>
        t('The server asked for input more than {0} times.', String(maxRounds)),
      );
    const { inputRequests, requestState } = result;
    const inputResponses = await answerAll(asObject(inputRequests ?? {}), answer, signal);
    result = asObject(
      await send({
        ...params,
        ...(inputRequests !== undefined && { inputResponses }),
        ...(requestState !== undefined && { requestState }),
      }),
      note,
    );
  }
  // The result depends on the answers, but a cache would identify it without them.
  const { ttlMs: _ttl, cacheScope: _scope, ...uncached } = known(result);
  return uncached;
}

function knownResult(result: Params, acceptsTask: boolean): Params {
  const { resultType } = result;
  if (typeof resultType !== 'string' || resultType === 'complete') return result;
  if (acceptsTask && resultType === 'task') return result;
  throw new RpcError(0, (t) =>
    t('The server sent a result of the unknown type "{0}".', resultType),
  );
}

/** Answers several questions of a server, one after another. */
export async function answerAll(
  questions: Params,
  answer: RequestRouter,
  signal = neverAborted(),
): Promise<Params> {
  const answers: Record<string, unknown> = {};
  // One after another: a user answers them.
  for (const [key, question] of Object.entries(questions)) {
    const { method, params } = asObject(question);
    try {
      answers[key] = await answer(String(method), asObject(params ?? {}), signal);
    } catch (error) {
      // Sending the answers will tell best why nobody waits for them any more.
      if (!signal.aborted) throw error;
    }
  }
  return answers;
}

function asObject(value: unknown, note: Note = () => {}): Params {
  if (isRecord(value)) return value;
  const read = isEmptyList(value) && objectOf(value, 'result', note);
  if (read) return read;
  throw new RpcError(0, (t) => t('The server sent a result that is not an object.'));
}
