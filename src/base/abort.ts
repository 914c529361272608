/** A cancellation token, in the shape that the editor uses. */
interface Cancellation {
  readonly isCancellationRequested: boolean;
  onCancellationRequested(listener: () => void): unknown;
}

/** Returns a signal that never aborts; a new one for each use, because listeners stay attached to it. */
export function neverAborted(): AbortSignal {
  return new AbortController().signal;
}

/** Returns a signal that aborts with `reason` when `token` is cancelled. */
export function signalOf(token: Cancellation, reason?: unknown): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort(reason);
  else token.onCancellationRequested(() => controller.abort(reason));
  return controller.signal;
}

/** Settles as `promise` does, or rejects with the signal's reason as soon as it aborts. */
export function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const leave = () => reject(signal.reason);
    signal.addEventListener('abort', leave, { once: true });
    if (signal.aborted) leave();
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
  });
}
