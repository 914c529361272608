import { neverAborted } from '../../base/async';
import { isRecord } from '../../base/json';
import { isEmptyList, objectOf, type Note } from '../protocol/readAs';
import type { AnswerServer } from './answerServer';
import { RpcError } from '../protocol/rpcError';

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
  answer: AnswerServer,
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
  answer: AnswerServer,
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
