import { delay } from '../../../base/async';
import { CancelledError } from '../../../base/errors';
import type { Tool } from '../../protocol/types';
import type { RequestOptions } from '../../server';
import type { LaneRequestOptions } from '../lane/requestLane';
import { DeadlineError, RpcError } from '../../protocol/rpcError';
import type { Session } from '../session';
import { TaskLeftError } from './followTask';

type Params = Readonly<Record<string, unknown>>;

const defaultPollMs = 1000;
const shortestPollMs = 100;
/** The longest time between polls: a server may ask for any, but a timer of more than a few weeks would fire immediately. */
const longestPollMs = 60 * 60_000;

/** True for a tool that its server runs as a task in the form of 2025-11-25. */
export function needsTask(tool: Tool, { era, info }: Session): boolean {
  const support = tool.execution?.taskSupport;
  if (era !== 'legacy' || !info.capabilities.tasks?.requests?.tools?.call) return false;
  return support === 'optional' || support === 'required';
}

/**
 * Calls a tool as a task (2025-11-25, tasks): creates it, polls its state at the pace that the server
 * sets, and fetches the result. Aborting cancels the task on the server.
 */
export async function callAsTask(
  session: Session,
  params: Params,
  options: LaneRequestOptions & Pick<RequestOptions, 'onTask'> = {},
): Promise<Params> {
  const ended = new AbortController();
  try {
    const creation = { ...options, progressUntil: ended.signal };
    const created = await session.request('tools/call', { ...params, task: {} }, creation);
    const task = created['task'] as Params | undefined;
    // A server may answer immediately, as if it had not been asked for a task.
    if (!task) return created;
    const { taskId: id } = task;
    if (typeof id === 'string') options.onTask?.({ id, startedAt: Date.now(), isCore: true });
    return await untilEnded(session, task, options);
  } finally {
    ended.abort();
  }
}

/** Waits for the result of a task that was created earlier, maybe in another session. */
export async function resumeCoreTask(
  session: Session,
  taskId: string,
  options: LaneRequestOptions,
): Promise<Params> {
  return untilEnded(session, await getTask(session, taskId, options), options);
}

async function untilEnded(
  session: Session,
  created: Params,
  options: LaneRequestOptions,
): Promise<Params> {
  const taskId = created['taskId'];
  try {
    const first = await untilIdle(session, created, options, isWorking);
    const result = await fetchResult(session, first, options);
    if (result) return result;
    // The request for the result should have waited for the end of the task, but did not: its state is polled.
    const now = await getTask(session, taskId, options);
    const last = await untilIdle(session, now, options, isOpen);
    return (await fetchResult(session, last, options)) ?? {};
  } catch (error) {
    if (!options.signal?.aborted && !(error instanceof DeadlineError)) throw error;
    const { reason } = options.signal ?? {};
    if (reason instanceof TaskLeftError) throw reason;
    // The caller cancelled, and does not need an answer to this.
    session.request('tasks/cancel', { taskId }).catch(() => {});
    throw options.signal?.aborted ? new CancelledError() : error;
  }
}

/** Fetches the result of a task; `undefined` if there is none yet, as some servers answer before the task is over. */
async function fetchResult(
  session: Session,
  { taskId, status }: Params,
  options: LaneRequestOptions,
): Promise<Params | undefined> {
  if (status === 'cancelled') throw new RpcError(0, (t) => t('The server cancelled the task.'));
  const isOver = !isOpen(status);
  try {
    // The questions of `input_required` come with the request for the result, which waits for the end.
    const how = { ...options, patient: !isOver };
    const result = await session.request('tasks/result', { taskId }, how);
    return isOver || Array.isArray(result['content']) ? result : undefined;
  } catch (error) {
    if (isOver || !(error instanceof RpcError)) throw error;
    return undefined;
  }
}

async function getTask(
  session: Session,
  taskId: unknown,
  options: LaneRequestOptions,
): Promise<Params> {
  return { ...(await session.request('tasks/get', { taskId }, options)), taskId };
}

const isWorking = (status: unknown) => status === 'working';

/** True for every state except the final ones; a server may have states that this client does not know. */
const isOpen = (status: unknown) =>
  typeof status === 'string' && !['completed', 'failed', 'cancelled'].includes(status);

/** Polls a task, and resolves with the first state that is not `busy`. */
async function untilIdle(
  session: Session,
  created: Params,
  options: LaneRequestOptions,
  busy: (status: unknown) => boolean,
): Promise<Params> {
  const taskId = created['taskId'];
  let task = created;
  while (busy(task['status'])) {
    const { statusMessage, pollInterval } = task;
    if (typeof statusMessage === 'string')
      options.onProgress?.({ progress: 0, message: statusMessage });
    const wait = typeof pollInterval === 'number' ? pollInterval : defaultPollMs;
    await delay(Math.min(Math.max(wait, shortestPollMs), longestPollMs), options.signal);
    task = await getTask(session, taskId, options);
  }
  return task;
}
