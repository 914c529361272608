import { isRecord, type JsonRecord } from '../../../base/json';
import { RpcError } from '../../protocol/rpcError';

/** A longer id is no task's: it also travels as a header. In UTF-16 units. */
export const maxTaskIdLength = 4096;

const statuses = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;

/** The states of a task that are over. */
export type TaskStatus = (typeof statuses)[number];

/** What a task is found again by, after a lost connection or in another window. */
export interface TaskHandle {
  readonly id: string;
  /** As its server wrote it: another task of the same id was created at another time. */
  readonly createdAt?: string;
  /** When it was created by the clock of this machine, in epoch milliseconds. */
  readonly startedAt: number;
  /** True for one in the form of 2025-11-25. */
  readonly isCore?: boolean;
}

/** One state of a task, as far as it makes sense. */
export interface TaskState {
  readonly status: TaskStatus;
  readonly message?: string;
  /** How long to wait before the next question, in milliseconds, as the server would have it. */
  readonly pollMs?: number;
  /** How long the server keeps the task, in milliseconds from its creation; absent means for ever. */
  readonly ttlMs?: number;
  /** When it changed last, in epoch milliseconds by the clock of the server. */
  readonly updatedAt?: number;
  readonly questions: JsonRecord;
  readonly result?: JsonRecord;
  readonly error?: unknown;
}

/** Reads the answer that a server gave in place of a result: the task it made of a call. */
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

/** Reads a state of the task `handle`; one of another task is an error, whoever mixed them up. */
export function readTaskState(value: JsonRecord, handle: TaskHandle): TaskState {
  const { taskId, createdAt, statusMessage, pollIntervalMs, ttlMs, result, error } = value;
  if (taskId !== handle.id)
    throw new RpcError(0, (t) => t('The server answered with the state of another task.'));
  if (handle.createdAt !== undefined && createdAt !== undefined && createdAt !== handle.createdAt)
    throw new RpcError(0, (t) => t('The server now uses the id of the task for another one.'));
  // What is not known is not over.
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
