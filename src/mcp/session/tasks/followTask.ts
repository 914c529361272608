import { delay, neverAborted } from '../../../base/async';
import { CancelledError, errorMessage } from '../../../base/errors';
import type { JsonRecord } from '../../../base/json';
import { inEnglish, type LocalizableMessage, type Translate } from '../../../base/translate';
import { RequestRefused } from '../../protocol/serverRequests';
import type { Progress } from '../../protocol/types';
import { httpStatus } from '../../protocol/errorFacts';
import { ErrorCode, RpcError, findRpcError, readRpcError } from '../../protocol/rpcError';
import type { PeerRequestOptions } from '../peer/jsonRpcPeer';
import {
  ServerStoppedError,
  type TaskFacts,
  type TaskHandle,
  type TaskState,
  isFinal,
  readTaskFacts,
  readTaskState,
} from './taskState';
import { backoffMs } from '../../../base/pace';

const defaultPollMs = 1000;
const shortestPollMs = 100;
/** The longest time between polls: a server may ask for any, but a timer of more than a few weeks would fire immediately. */
const longestPollMs = 60 * 60_000;

/** After this many failures in a row to read its state, a task is given up. */
export const maxTaskFailures = 8;

/** Waits as long as the server asks between polls of a task, and twice as long after each of the `failures` in a row. */
export function untilNextPoll(
  askedMs: number | undefined,
  failures: number,
  signal: AbortSignal,
): Promise<void> {
  const firstMs = Math.max(askedMs ?? defaultPollMs, shortestPollMs);
  return delay(backoffMs({ firstMs, longestMs: longestPollMs }, failures), signal);
}

/**
 * Returns how many failures in a row it is with this one, after `before` others; throws if asking again is no use:
 * after a `finalError` of the server, after the user stopped it or withdrew the task, or after too many failures.
 */
export function countFailure(
  error: unknown,
  before: number,
  signal: AbortSignal,
  finalError: Error | undefined,
): number {
  const isOver = signal.aborted || error instanceof ServerStoppedError;
  if (finalError || isOver) throw finalError ?? error;
  const failures = before + 1;
  if (failures < maxTaskFailures) return failures;
  throw new RpcError(0, (t) =>
    t(
      'The state of the task could not be read {0} times: {1}',
      String(failures),
      errorMessage(error, t),
    ),
  );
}

/** Returns the error of a server for which asking again would not help; `undefined` if it may help. */
export function refusalIn(error: unknown): RpcError | undefined {
  const refusal = error instanceof RpcError ? error : causeOf(error);
  if (!refusal) return undefined;
  switch (refusal.code) {
    case ErrorCode.invalidParams:
      return new RpcError(refusal.code, (t) =>
        t(
          'The server no longer knows the task: it expired, or the server was restarted. ({0})',
          refusal.message,
        ),
      );
    case ErrorCode.internal:
      return undefined;
    default:
      return refusal;
  }
}

function causeOf(error: unknown): RpcError | undefined {
  return error instanceof Error && error.cause instanceof RpcError ? error.cause : undefined;
}

/** The reason to abort with if a task should continue on its server: it is not cancelled there. */
export class TaskLeftError extends CancelledError {
  /** True if nobody will follow the task again. */
  readonly isForgotten: boolean;

  constructor(isForgotten: boolean) {
    super();
    this.isForgotten = isForgotten;
  }
}

/** Follows a task with `follow`; calls `cancel` if `signal` aborts, unless the task is only left. */
export async function untilWithdrawn<T>(
  follow: () => Promise<T>,
  signal: AbortSignal,
  cancel: () => void,
): Promise<T> {
  try {
    return await follow();
  } catch (error) {
    if (!signal.aborted) throw error;
    if (signal.reason instanceof TaskLeftError) throw signal.reason;
    cancel();
    throw new CancelledError();
  }
}

/** At most this many questions of one task are answered. */
export const maxTaskQuestions = 100;

/** How long a task that never ends is followed: a week, in milliseconds. */
export const maxTaskMs = 7 * 24 * 60 * 60_000;

/** How long a server has, after the time that it gave a task, to say how the task ended, in milliseconds. */
const graceMs = 60_000;

/** The access to a server that following a task needs. */
export interface TaskServer {
  /** Sends a request over the current session, or over a new one. */
  readonly send: (
    method: string,
    params: JsonRecord,
    how?: Pick<PeerRequestOptions, 'patient' | 'onProgress'>,
  ) => Promise<JsonRecord>;
  /** Answers questions of the server; each answer has the key of its question. */
  answer(questions: JsonRecord, signal: AbortSignal): Promise<JsonRecord>;
  /** Tells the server that nobody waits any more, if it is connected. */
  cancel(taskId: string): void;
}

/** How a task is followed. */
export interface FollowOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Called with each state that the server tells of the task. */
  readonly onTaskState?: ((state: TaskFacts) => void) | undefined;
  readonly t?: Translate | undefined;
}

/** Returns what tells of the states of a task; where its server has no words for one that waits for the user, it has. */
export function tellStates({
  onProgress,
  onTaskState,
  t = inEnglish,
}: FollowOptions): (state: JsonRecord) => void {
  let before: string | undefined;
  let said: string | undefined;
  return (state) => {
    const facts = readTaskFacts(state);
    const { status, message = wordsFor(status, before, t) } = facts;
    before = status;
    onTaskState?.(facts);
    if (message === undefined || message === said || isFinal(status)) return;
    said = message;
    onProgress?.({ progress: 0, message });
  };
}

/** Only a task that comes to wait, or goes on after that, needs words: it would be shown with those of its work before. */
function wordsFor(status: string, before: string | undefined, t: Translate): string | undefined {
  if (status === before) return undefined;
  if (status === 'input_required') return t('Input required');
  return before === 'input_required' ? t('Working') : undefined;
}

/**
 * Follows a task to its end (2026-07-28, tasks extension) and resolves with the result of its call:
 * polls its state at the pace that the server sets, has each of its questions answered once, sends each
 * answer until the server has it, and survives lost connections. Rejects with an `RpcError` if the task
 * failed, was cancelled by the server, was refused an answer, is unknown there or does not end. Aborting
 * cancels the task on the server, and so does whatever makes this client give it up while it goes on there.
 */
export async function followTask(
  handle: TaskHandle,
  server: TaskServer,
  { signal = neverAborted(), ...told }: FollowOptions = {},
): Promise<JsonRecord> {
  const tell = tellStates(told);
  const cancel = () => server.cancel(handle.id);
  const follow = async () => {
    try {
      return await untilEnded(handle, server, { signal, tell });
    } catch (error) {
      if (error instanceof GivenUpError) cancel();
      throw error;
    }
  };
  return untilWithdrawn(follow, signal, cancel);
}

/** Thrown where only this client ends a task: it would go on, or ask forever. */
class GivenUpError extends RpcError {
  constructor(reason: LocalizableMessage) {
    super(0, reason);
  }
}

async function untilEnded(
  handle: TaskHandle,
  server: TaskServer,
  options: {
    readonly signal: AbortSignal;
    readonly tell: (state: JsonRecord) => void;
  },
): Promise<JsonRecord> {
  const { signal, tell } = options;
  const answers: Answers = new Map();
  let failures = 0;
  let unsent = 0;
  let latest: TaskState | undefined;
  for (;;) {
    signal.throwIfAborted();
    try {
      const said = await server.send('tasks/get', { taskId: handle.id });
      const state = readTaskState(said, handle);
      failures = 0;
      if (!isOlder(state, latest)) {
        latest = state;
        tell(said);
        const isSent = await answerOpen(state, answers, handle, server, signal);
        unsent = isSent ? 0 : Math.min(unsent + 1, maxTaskFailures - 1);
      }
    } catch (error) {
      failures = countFailure(error, failures, signal, refusalIn(error));
    }
    // Outside of the `try`, because the failure of a task is not a failure to read its state.
    const result = latest && endOf(latest);
    if (result) return result;
    checkTime(handle, latest);
    await untilNextPoll(latest?.pollMs, Math.max(failures, unsent), signal);
  }
}

/** True for a state from before the latest one, which a server of several machines may answer with. */
function isOlder(state: TaskState, latest: TaskState | undefined): boolean {
  return (state.updatedAt ?? Infinity) < (latest?.updatedAt ?? -Infinity);
}

function endOf({ status, result, error, message }: TaskState): JsonRecord | undefined {
  switch (status) {
    case 'completed':
      return result;
    case 'failed':
      throw readRpcError(error ?? { message });
    case 'cancelled':
      throw new RpcError(
        0,
        message
          ? (t) => t('The server cancelled the task: {0}', message)
          : (t) => t('The server cancelled the task.'),
      );
    case 'working':
    case 'input_required':
      return undefined;
  }
}

/** Answers by the keys of their questions; `undefined` for one that the server already has. */
type Answers = Map<string, JsonRecord | undefined>;

/** Has new questions answered and sends the answers that the server does not have; false if one could not be sent. */
async function answerOpen(
  { status, questions }: TaskState,
  answers: Answers,
  { id: taskId }: TaskHandle,
  server: TaskServer,
  signal: AbortSignal,
): Promise<boolean> {
  if (status !== 'input_required') return true;
  const asked = Object.entries(questions);
  const added = asked.filter(([key]) => !answers.has(key));
  if (answers.size + added.length > maxTaskQuestions)
    throw new GivenUpError((t) =>
      t('The task asked more than {0} questions.', String(maxTaskQuestions)),
    );
  for (const [key, question] of asked) {
    if (!answers.has(key))
      answers.set(key, await answerOrGiveUp({ [key]: question }, server, signal));
    signal.throwIfAborted();
    const inputResponses = answers.get(key);
    if (!inputResponses) continue;
    try {
      await server.send('tasks/update', { taskId, inputResponses });
    } catch (error) {
      const refusal = refusedAnswer(error) ?? refusalIn(error);
      if (refusal || signal.aborted) throw refusal ?? error;
      return false;
    }
    answers.set(key, undefined);
  }
  return true;
}

/** Has a question answered; gives up a task that gets no answer, because nobody may or can give it. */
async function answerOrGiveUp(
  question: JsonRecord,
  server: TaskServer,
  signal: AbortSignal,
): Promise<JsonRecord> {
  try {
    return await server.answer(question, signal);
  } catch (error) {
    if (error instanceof RequestRefused ? !error.isFinal : !isUnanswerable(error)) throw error;
    throw new GivenUpError((t) => errorMessage(error, t));
  }
}

/** True if this client does not know how to answer: neither the method nor what is in it will be right the next time. */
function isUnanswerable(error: unknown): boolean {
  const { code } = findRpcError(error) ?? {};
  return code === ErrorCode.methodNotFound || code === ErrorCode.invalidParams || code === 0;
}

/** The HTTP statuses of a request that would be just as wrong the next time: bad, too large, or unprocessable. */
const wrongStatus: ReadonlySet<number | undefined> = new Set([400, 413, 422]);

/** Returns the error for an answer that the server would never accept; `undefined` if it may accept the answer later. */
function refusedAnswer(error: unknown): RpcError | undefined {
  const said = findRpcError(error);
  const isWrong = said ? said.code === ErrorCode.invalidParams : wrongStatus.has(httpStatus(error));
  if (!isWrong) return undefined;
  return new GivenUpError((t) =>
    t('The server refused the answer to its question: {0}', errorMessage(said ?? error, t)),
  );
}

function checkTime({ startedAt }: TaskHandle, latest: TaskState | undefined): void {
  const runs = Date.now() - startedAt;
  const { ttlMs } = latest ?? {};
  if (ttlMs !== undefined && runs > ttlMs + graceMs)
    throw new GivenUpError((t) => t('The task did not end in the time that the server gave it.'));
  if (runs > maxTaskMs) throw new GivenUpError((t) => t('The task did not end within a week.'));
}
