import { neverAborted } from '../../../base/async';
import { causesOf } from '../../../base/errors';
import { asRecord, type JsonRecord } from '../../../base/json';
import { DeadlineError, findRpcError, RpcError } from '../../protocol/rpcError';
import type { Progress } from '../../protocol/types';
import type { Translate } from '../../../base/translate';
import type { Session, RequestOptions } from '../session';
import {
  type FollowOptions,
  type TaskServer,
  countFailure,
  followTask,
  refusalIn,
  tellStates,
  untilNextPoll,
  untilWithdrawn,
} from './followTask';
import {
  checkTask,
  isFinal,
  readCreatedTask,
  readTaskFacts,
  relatedTaskKey,
  type CallAnswer,
  type TaskHandle,
} from './taskState';

/** At most this many ids of a server's tasks are remembered. */
export const maxKnownTasks = 10_000;

/** The connection to the server of some tasks. */
export interface TaskConnection {
  /** Sends over the current session, or over a new one; rejects in words for the user. */
  send(
    request: (session: Session) => Promise<JsonRecord>,
    options: { readonly signal?: AbortSignal | undefined },
  ): Promise<JsonRecord>;
  readonly session: () => Session | undefined;
  readonly t?: Translate | undefined;
}

/** The tasks that one server turned calls into. */
export class TaskCalls {
  private readonly connection: TaskConnection;
  private readonly known = new Set<string>();

  constructor(connection: TaskConnection) {
    this.connection = connection;
  }

  /** Returns the result of a call that was answered with `answered`: the result in it, or that of the task in it. */
  async finish(answered: CallAnswer, options: RequestOptions = {}): Promise<JsonRecord> {
    const isCore = 'coreTask' in answered;
    const created = isCore ? answered.coreTask : answered.answer;
    if (!isCore && created['resultType'] !== 'task') return created;
    const handle = { ...readCreatedTask(created), ...(isCore && { isCore }) };
    if (this.known.has(handle.id))
      throw new RpcError(0, (t) => t('The server answered the call with the task of another one.'));
    options.onTask?.(handle);
    if (!isCore) options.onTaskState?.(readTaskFacts(created));
    return this.follow(handle, options, created);
  }

  /** Waits for the result of a task that was created earlier; `created` is its state if that was just now. */
  follow(
    handle: TaskHandle,
    options: RequestOptions = {},
    created?: JsonRecord,
  ): Promise<JsonRecord> {
    this.know(handle.id);
    const server = this.server(options.signal);
    const how = { ...options, t: this.connection.t };
    return handle.isCore
      ? followCoreTask(handle, server, how, created)
      : followTask(handle, server, how);
  }

  private server(signal: AbortSignal | undefined): TaskServer {
    const { connection } = this;
    return {
      send: (method, params, how) =>
        connection.send((session) => session.request(method, params, { ...how, signal }), {
          signal,
        }),
      answer: async (questions, until) => {
        const session = connection.session();
        if (!session) throw new Error('The connection closed before the question was answered.');
        return session.answerAll(questions, until);
      },
      // The caller cancelled, and does not need an answer to this.
      cancel: (taskId) =>
        void connection
          .session()
          ?.request('tasks/cancel', { taskId })
          .catch(() => {}),
    };
  }

  private know(id: string): void {
    this.known.add(id);
    const [oldest] = this.known;
    if (this.known.size > maxKnownTasks && oldest !== undefined) this.known.delete(oldest);
  }
}

/**
 * Follows a task to its end (2025-11-25, tasks) and resolves with the result of its call: polls its state at the
 * pace that the server sets, fetches the result, and survives lost connections. Aborting cancels the task on the
 * server, and so does a user who does not answer its questions in time.
 *
 * @param created its state when it was created; absent if that was earlier, maybe in another session.
 */
async function followCoreTask(
  handle: TaskHandle,
  server: Pick<TaskServer, 'send' | 'cancel'>,
  { signal = neverAborted(), ...told }: FollowOptions = {},
  created?: JsonRecord,
): Promise<JsonRecord> {
  const { send } = server;
  const { onProgress } = told;
  const tell = tellStates(told);
  const cancel = () => server.cancel(handle.id);
  const follow = () => untilEnded({ handle, send, signal, onProgress, tell }, created);
  try {
    return await untilWithdrawn(follow, signal, cancel);
  } catch (error) {
    if (error instanceof DeadlineError) cancel();
    throw error;
  }
}

/** A task that is followed. */
interface Followed extends Pick<TaskServer, 'send'> {
  readonly handle: TaskHandle;
  readonly signal: AbortSignal;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  readonly tell: (state: JsonRecord) => void;
}

async function untilEnded(task: Followed, created: JsonRecord | undefined): Promise<JsonRecord> {
  const first = await untilIdle(task, created ?? (await getTask(task)), isWorking);
  const result = await fetchResult(task, first);
  if (result) return result;
  // The request for the result should have waited for the end of the task, but did not: its state is polled.
  const last = await untilIdle(task, await getTask(task, first), isOpen);
  return (await fetchResult(task, last)) ?? {};
}

/** Fetches the result of a task; `undefined` if there is none yet, as some servers answer before the task is over. */
async function fetchResult(task: Followed, state: JsonRecord): Promise<JsonRecord | undefined> {
  const { handle, send, onProgress } = task;
  const { id: taskId } = handle;
  const { status } = state;
  if (status === 'cancelled') throw new RpcError(0, (t) => t('The server cancelled the task.'));
  const isOver = !isOpen(status);
  const watched = new AbortController();
  const signal = AbortSignal.any([task.signal, watched.signal]);
  // Nothing but its state says that the user has answered, and that it works again.
  if (!isOver) void untilIdle({ ...task, signal }, state, isOpen).catch(() => {});
  const request = async () => {
    try {
      // The questions of `input_required` come with the request for the result, which waits for the end.
      return await send('tasks/result', { taskId }, { patient: !isOver, onProgress });
    } catch (error) {
      if (isOver || !findRpcError(error)) throw error;
      return {};
    }
  };
  // Once the task is over, an error is its result; before, too long a wait ends the call.
  const fetched = outlast(task, state, request, isOver ? findRpcError : deadlineIn);
  const result = await fetched.finally(() => watched.abort());
  checkTask(asRecord(asRecord(result['_meta'])[relatedTaskKey]), handle);
  return isOver || Array.isArray(result['content']) ? result : undefined;
}

function deadlineIn(error: unknown): DeadlineError | undefined {
  return causesOf(error).find((one) => one instanceof DeadlineError);
}

async function getTask(task: Followed, latest: JsonRecord = {}): Promise<JsonRecord> {
  const { handle, send } = task;
  const ask = () => send('tasks/get', { taskId: handle.id });
  const state = await outlast(task, latest, ask, refusalIn);
  checkTask(state, handle);
  return state;
}

/** Repeats a request after failures that say nothing about the task; `finalErrorIn` finds the error that ends it. */
async function outlast(
  { signal }: Followed,
  latest: JsonRecord,
  request: () => Promise<JsonRecord>,
  finalErrorIn: (error: unknown) => Error | undefined,
): Promise<JsonRecord> {
  let failures = 0;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      failures = countFailure(error, failures, signal, finalErrorIn(error));
    }
    await untilNextPoll(pollMs(latest), failures, signal);
  }
}

const isWorking = (status: unknown) => status === 'working';

/** True for every state except the final ones; a server may have states that this client does not know. */
const isOpen = (status: unknown) => typeof status === 'string' && !isFinal(status);

/** Polls a task, and resolves with the first state that is not `busy`. */
async function untilIdle(
  task: Followed,
  first: JsonRecord,
  busy: (status: unknown) => boolean,
): Promise<JsonRecord> {
  let state = first;
  for (;;) {
    task.tell(state);
    if (!busy(state['status'])) return state;
    await untilNextPoll(pollMs(state), 0, task.signal);
    state = await getTask(task, state);
  }
}

function pollMs({ pollInterval }: JsonRecord): number | undefined {
  return typeof pollInterval === 'number' ? pollInterval : undefined;
}
