import { CancelledError } from '../../../base/errors';

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
