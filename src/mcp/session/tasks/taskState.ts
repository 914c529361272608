import { type JsonRecord, isRecord } from '../../../base/json';
import { RpcError } from '../../protocol/rpcError';
import { UserError } from '../../../base/errors';
import { truncate } from '../../../base/text/text';

/** The error of a request for which a server is not started again, because it was stopped on purpose. */
export class ServerStoppedError extends UserError {}

/** The longest id of a task, in UTF-16 units: it is also sent as a header. */
export const maxTaskIdLength = 4096;

const statuses = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;

/** The states of a task. */
export type TaskStatus = (typeof statuses)[number];

/** What identifies a task after a lost connection, or in another window. */
export interface TaskHandle {
  readonly id: string;
  /** When it was created, as its server wrote it: this tells the task from another one with the same id. */
  readonly createdAt?: string;
  /** When it was created, by the clock of this machine, in epoch milliseconds. */
  readonly startedAt: number;
  /** True for one in the form of 2025-11-25. */
  readonly isCore?: boolean;
}

/** What a call was answered with: its result, or a task in its place, which may be one in the form of 2025-11-25. */
export type CallAnswer = { readonly answer: JsonRecord } | { readonly coreTask: JsonRecord };

/** The state of a task at one time, as far as it is valid. */
export interface TaskState {
  readonly status: TaskStatus;
  readonly message?: string;
  /** How long the server asks to wait before the next poll, in milliseconds. */
  readonly pollMs?: number;
  /** How long the server keeps the task, in milliseconds from its creation; absent means forever. */
  readonly ttlMs?: number;
  /** When it last changed, in epoch milliseconds by the clock of the server. */
  readonly updatedAt?: number;
  readonly questions: JsonRecord;
  readonly result?: JsonRecord;
  readonly error?: unknown;
}

/** Reads the task that a server returned in place of a result; throws an `RpcError` if its id is not usable. */
export function readCreatedTask(value: JsonRecord): TaskHandle {
  const { taskId, createdAt } = value;
  if (typeof taskId !== 'string' || taskId === '' || taskId.length > maxTaskIdLength)
    throw new RpcError(0, (t) => t('The server made a task of the call that has no usable id.'));
  return {
    id: taskId,
    ...(typeof createdAt === 'string' && { createdAt }),
    startedAt: Date.now(),
  };
}

/** The key of `_meta` by which a message names the task that it is about (2025-11-25, tasks). */
export const relatedTaskKey = 'io.modelcontextprotocol/related-task';

/** Throws an `RpcError` if what a server says is of another task than `handle`, as far as it says of which. */
export function checkTask(
  { taskId, createdAt }: JsonRecord,
  handle: Pick<TaskHandle, 'id' | 'createdAt'>,
): void {
  if (taskId !== undefined && taskId !== handle.id)
    throw new RpcError(0, (t) => t('The server answered with the state of another task.'));
  if (handle.createdAt !== undefined && createdAt !== undefined && createdAt !== handle.createdAt)
    throw new RpcError(0, (t) => t('The server now uses the id of the task for another one.'));
}

/** What a server says of a task in either form, as it is shown. */
export interface TaskFacts {
  /** One of the protocol's states, or another that this client does not know. */
  readonly status: string;
  readonly message?: string;
  /** When it was created and last changed, in epoch milliseconds by the clock of the server. */
  readonly createdAt?: number;
  readonly updatedAt?: number;
  /** How long the server keeps it, in milliseconds from its creation; `null` means forever. */
  readonly ttlMs?: number | null;
  readonly pollMs?: number;
}

/** The longest message of a task that is kept, in UTF-16 units. */
const longestMessage = 1000;
/** The longest name of a state that is kept, in UTF-16 units. */
const longestStatus = 60;

/** Reads what is shown of a task, as far as it is valid; in 2025-11-25, the times are named without their unit. */
export function readTaskFacts(value: JsonRecord): TaskFacts {
  const { status, statusMessage, ttlMs = value['ttl'] } = value;
  const { pollIntervalMs = value['pollInterval'] } = value;
  const createdAt = Date.parse(String(value['createdAt']));
  const updatedAt = Date.parse(String(value['lastUpdatedAt']));
  return {
    status: typeof status === 'string' ? status.slice(0, longestStatus) : 'working',
    ...(typeof statusMessage === 'string' && { message: truncate(statusMessage, longestMessage) }),
    ...(Number.isFinite(createdAt) && { createdAt }),
    ...(Number.isFinite(updatedAt) && { updatedAt }),
    ...((typeof ttlMs === 'number' || ttlMs === null) && { ttlMs }),
    ...(typeof pollIntervalMs === 'number' && { pollMs: pollIntervalMs }),
  };
}

/** True for a state that a task does not leave again. */
export function isFinal(status: string): boolean {
  return ['completed', 'failed', 'cancelled'].includes(status);
}

/** Reads a state of the task `handle`; throws an `RpcError` if it is of another task, or completed without a result. */
export function readTaskState(value: JsonRecord, handle: TaskHandle): TaskState {
  const { taskId = null, statusMessage, pollIntervalMs, ttlMs, result, error } = value;
  checkTask({ ...value, taskId }, handle);
  // An unknown state does not count as final.
  const status = statuses.find((one) => one === value['status']) ?? 'working';
  if (status === 'completed' && !isRecord(result))
    throw new RpcError(0, (t) =>
      t('The server says that the task is completed, but gave no result.'),
    );
  const updatedAt = Date.parse(String(value['lastUpdatedAt']));
  return {
    status,
    ...(typeof statusMessage === 'string' && { message: statusMessage }),
    ...(typeof pollIntervalMs === 'number' && { pollMs: pollIntervalMs }),
    ...(typeof ttlMs === 'number' && { ttlMs }),
    ...(Number.isFinite(updatedAt) && { updatedAt }),
    questions: isRecord(value['inputRequests']) ? value['inputRequests'] : {},
    ...(isRecord(result) && { result }),
    ...(error !== undefined && { error }),
  };
}
