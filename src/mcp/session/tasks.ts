import { delay } from '../../base/async';
import { CancelledError } from '../../base/errors';
import type { Tool } from '../protocol';
import type { LaneRequestOptions } from './requestLane';
import { RpcError } from './rpcError';
import type { Session } from './session';

type Params = Readonly<Record<string, unknown>>;

const defaultPollMs = 1000;
const shortestPollMs = 100;

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
  const created = await session.request('tools/call', { ...params, task: {} }, options);
  const task = created['task'] as Params | undefined;
  // A server may answer at once, as if it had not been asked for a task.
  if (!task) return created;
  const taskId = task['taskId'];
  try {
    for (let state = task; ; state = await session.request('tasks/get', { taskId }, options)) {
      const { status, statusMessage, pollInterval } = state;
      if (typeof statusMessage === 'string')
        options.onProgress?.({ progress: 0, message: statusMessage });
      if (status === 'cancelled') throw new RpcError(0, 'The server cancelled the task.');
      // `input_required` is answered through the result request, which then waits for the end.
      if (status !== 'working') break;
      const wait = typeof pollInterval === 'number' ? pollInterval : defaultPollMs;
      await delay(Math.max(wait, shortestPollMs), options.signal);
    }
    return await session.request('tasks/result', { taskId }, options);
  } catch (error) {
    if (!options.signal?.aborted) throw error;
    // Whether the server still answers that changes nothing for who withdrew the call.
    session.request('tasks/cancel', { taskId }).catch(() => {});
    throw new CancelledError();
  }
}
