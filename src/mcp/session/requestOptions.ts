import type { JsonRecord } from '../../base/json';
import type { Progress } from '../protocol/types';
import type { TaskHandle } from './tasks/taskState';

/** The options of a request: a way to cancel it, listeners for its progress and its task, and metadata. */
export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: Progress) => void;
  /** Called when the server turns a call into a task, which can be followed from elsewhere, too. */
  readonly onTask?: (task: TaskHandle) => void;
  /** What a user wrote into a call's `_meta`; the fields of the protocol are added to it. */
  readonly meta?: JsonRecord | undefined;
}
