import { delay } from '../../base/async';
import { CancelledError } from '../../base/errors';
import type { Tool } from '../protocol/types';
import type { LaneRequestOptions } from './requestLane';
import { DeadlineError, RpcError } from '../protocol/rpcError';
import type { Session } from './session';

type Params = Readonly<Record<string, unknown>>;

const defaultPollMs = 1000;
const shortestPollMs = 100;
/** A server may ask for patience, but a timer of more than some weeks would fire at once. */
const longestPollMs = 60 * 60_000;

/** True for a tool that its server runs as a task in the form of 2025-11-25. */
export function needsTask(tool: Tool, { era, info }: Session): boolean {
  const support = tool.execution?.taskSupport;
  if (era !== 'legacy' || !info.capabilities.tasks?.requests?.tools?.call) return false;
  return support === 'optional' || support === 'required';
}

/**
 * Calls a tool as a task (2025-11-25, tasks): creates it, asks for its state at the pace that the
 * server gives, and fetches the result. Aborting cancels the task on the server. Task lists and the
 * 2026-07-28 extension of the same name are not used.
 */
export async function callAsTask(
  session: Session,
  params: Params,
  options: LaneRequestOptions = {},
): Promise<Params> {
  const ended = new AbortController();
  try {
    const creation = { ...options, progressUntil: ended.signal };
    const created = await session.request('tools/call', { ...params, task: {} }, creation);
    const task = created['task'] as Params | undefined;
    // A server may answer at once, as if it had not been asked for a task.
    return task ? await untilEnded(session, task, options) : created;
  } finally {
    ended.abort();
  }
}

async function untilEnded(
  session: Session,
  created: Params,
  options: LaneRequestOptions,
): Promise<Params> {
  const taskId = created['taskId'];
  try {
    const { status } = await untilIdle(session, created, options);
    if (status === 'cancelled') throw new RpcError(0, 'The server cancelled the task.');
    // `input_required` is answered through the request for the result, which waits for the end.
    const patient = status === 'input_required';
    return await session.request('tasks/result', { taskId }, { ...options, patient });
  } catch (error) {
    if (!options.signal?.aborted && !(error instanceof DeadlineError)) throw error;
    // Whether the server still answers that changes nothing for who withdrew the call.
    session.request('tasks/cancel', { taskId }).catch(() => {});
    throw options.signal?.aborted ? new CancelledError() : error;
  }
}

/** Resolves with the first state of a task in which the server does not work on it. */
async function untilIdle(
  session: Session,
  created: Params,
  options: LaneRequestOptions,
): Promise<Params> {
  const taskId = created['taskId'];
  let task = created;
  while (task['status'] === 'working') {
    const { statusMessage, pollInterval } = task;
    if (typeof statusMessage === 'string')
      options.onProgress?.({ progress: 0, message: statusMessage });
    const wait = typeof pollInterval === 'number' ? pollInterval : defaultPollMs;
    await delay(Math.min(Math.max(wait, shortestPollMs), longestPollMs), options.signal);
    task = await session.request('tasks/get', { taskId }, options);
  }
  return task;
}
