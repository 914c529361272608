import { toDisposable, type Disposable } from './disposable';

/** Registers a listener until the returned disposable is disposed. */
export type Event<T> = (listener: (value: T) => void) => Disposable;

/** The firing side of an {@link Event}. */
export class Emitter<T> implements Disposable {
  private readonly listeners = new Set<{ readonly call: (value: T) => void }>();
  private readonly onListenerError: (error: unknown) => void;

  /** @param onListenerError receives what a listener throws, so that one cannot starve the others. */
  constructor(onListenerError: (error: unknown) => void = rethrowLater) {
    this.onListenerError = onListenerError;
  }

  readonly event: Event<T> = (listener) => {
    const entry = { call: listener };
    this.listeners.add(entry);
    return toDisposable(() => this.listeners.delete(entry));
  };

  /** Calls every listener that is registered now, in the order of registration. */
  fire(value: T): void {
    // A copy: a listener may add or remove others while it runs.
    const current = [...this.listeners];
    for (const listener of current) {
      try {
        listener.call(value);
      } catch (error) {
        this.onListenerError(error);
      }
    }
  }

  dispose(): void {
    this.listeners.clear();
  }
}

/** Resolves with the first value of `event` that passes `accept`; rejects when `signal` aborts. */
export function once<T>(
  event: Event<T>,
  accept: (value: T) => boolean = () => true,
  signal?: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      subscription.dispose();
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      stop();
      reject(signal?.reason);
    };
    const subscription = event((value) => {
      if (!accept(value)) return;
      stop();
      resolve(value);
    });
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
  });
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
