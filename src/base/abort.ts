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

/** Listeners of signals that many wait for: each signal has one listener, since Node warns of more than ten. */
export class AbortListeners {
  private readonly signals = new Map<
    AbortSignal,
    { readonly all: Set<() => void>; readonly call: () => void }
  >();

  /** Calls `listener` once when the signal aborts, until the returned function is called. */
  add(signal: AbortSignal, listener: () => void): () => void {
    const { all } = this.signals.get(signal) ?? this.listen(signal);
    all.add(listener);
    return () => {
      if (all.delete(listener) && all.size === 0) this.forget(signal);
    };
  }

  private listen(signal: AbortSignal) {
    const all = new Set<() => void>();
    const call = () => {
      this.forget(signal);
      for (const listener of all) listener();
    };
    const listeners = { all, call };
    this.signals.set(signal, listeners);
    signal.addEventListener('abort', call, { once: true });
    return listeners;
  }

  private forget(signal: AbortSignal): void {
    const known = this.signals.get(signal);
    if (!known) return;
    this.signals.delete(signal);
    signal.removeEventListener('abort', known.call);
  }
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
