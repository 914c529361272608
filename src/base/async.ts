import type { Disposable } from './disposable';

/** A promise that is settled from outside. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

/** Makes a {@link Deferred}. */
export function deferred<T>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
}

/** Runs a task as soon as a slot is free; rejects with the signal's reason if it aborts before then. */
export type Limiter = <T>(task: () => Promise<T>, signal?: AbortSignal) => Promise<T>;

/** Creates a limiter that runs at most `limit` tasks at a time, in order of arrival. */
export function createLimiter(limit: number): Limiter {
  let running = 0;
  const waiting = new Set<() => void>();
  const place = (signal?: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const leave = () => {
        waiting.delete(take);
        signal?.removeEventListener('abort', withdraw);
      };
      const take = () => {
        leave();
        resolve();
      };
      const withdraw = () => {
        leave();
        reject(signal?.reason);
      };
      waiting.add(take);
      signal?.addEventListener('abort', withdraw);
    });
  return async (task, signal) => {
    signal?.throwIfAborted();
    if (running >= limit) await place(signal);
    else running += 1;
    try {
      return await task();
    } finally {
      const [next] = waiting;
      if (next) next();
      else running -= 1;
    }
  };
}

/** A timer that can be restarted. */
export class Timer implements Disposable {
  private handle: ReturnType<typeof setTimeout> | undefined;
  private readonly callback: () => void;

  constructor(callback: () => void) {
    this.callback = callback;
  }

  get pending(): boolean {
    return this.handle !== undefined;
  }

  /** (Re)starts the countdown of `ms` milliseconds. */
  start(ms: number): void {
    this.dispose();
    this.handle = setTimeout(() => {
      this.handle = undefined;
      this.callback();
    }, ms);
  }

  dispose(): void {
    clearTimeout(this.handle);
    this.handle = undefined;
  }
}

/** Resolves with true if the promise resolves within `ms` milliseconds, else with false; rejects if it does before. */
export async function within(promise: Promise<unknown>, ms: number): Promise<boolean> {
  const late = deferred<false>();
  const timer = new Timer(() => late.resolve(false));
  timer.start(ms);
  try {
    return await Promise.race([promise.then(() => true), late.promise]);
  } finally {
    timer.dispose();
  }
}

/** Runs a task immediately, or after a delay if its last run was too recent. */
export class Throttle implements Disposable {
  private readonly task: () => void;
  private readonly everyMs: number;
  private readonly again = new Timer(() => this.run());
  private ranAt = -Infinity;

  /** @param everyMs the shortest time between two runs, in milliseconds. */
  constructor(task: () => void, everyMs: number) {
    this.task = task;
    this.everyMs = everyMs;
  }

  run(): void {
    if (this.again.pending) return;
    const wait = this.ranAt + this.everyMs - Date.now();
    if (wait > 0) return this.again.start(wait);
    this.ranAt = Date.now();
    this.task();
  }

  /** Cancels the pending run. */
  dispose(): void {
    this.again.dispose();
  }
}

/** Resolves after everything else that is due has run. */
export function nextTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const taken = () => {
      port1.close();
      resolve();
    };
    Object.assign(port1, { onmessage: taken });
    // Sooner than any timer, which browsers throttle.
    port2.postMessage(undefined);
  });
}

/** Resolves after `ms` milliseconds, or rejects with the signal's reason as soon as it aborts. */
export function delay(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      stop();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      stop();
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort);
    if (signal?.aborted) abort();
  });
}
