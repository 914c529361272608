import type { Disposable } from './disposable';
import { CancelledError } from './errors';

interface Run<T> {
  readonly controller: AbortController;
  readonly result: Promise<T>;
  waiting: number;
}

/** Work that is done once for all who want it at the same time, and is aborted when the last of them has left. */
export class SharedWork<T> {
  private run: Run<T> | undefined;

  /** True while somebody waits for it. */
  get isRunning(): boolean {
    return this.run !== undefined;
  }

  /** Joins the work, or begins it; rejects with the signal's reason as soon as it aborts. */
  async join(
    work: (signal: AbortSignal) => Promise<T>,
    signal: AbortSignal = neverAborted(),
  ): Promise<T> {
    signal.throwIfAborted();
    const run = (this.run ??= this.begin(work));
    run.waiting += 1;
    try {
      return await untilAborted(run.result, signal);
    } finally {
      run.waiting -= 1;
      if (run.waiting === 0) this.end(run);
    }
  }

  /** Aborts the work, which all who wait for it are told by a `CancelledError`. */
  cancel(): void {
    if (this.run) this.end(this.run);
  }

  private begin(work: (signal: AbortSignal) => Promise<T>): Run<T> {
    const controller = new AbortController();
    const result = untilAborted(work(controller.signal), controller.signal).finally(() => {
      // Not joined anymore by those who go on now.
      if (this.run === run) this.run = undefined;
    });
    const run: Run<T> = { controller, result, waiting: 0 };
    return run;
  }

  private end(run: Run<T>): void {
    // Otherwise it has ended on its own.
    if (this.run !== run) return;
    this.run = undefined;
    run.controller.abort(new CancelledError());
  }
}

/** The limits of what {@link Latest} keeps. */
interface LatestBounds {
  readonly maxItems: number;
  /** The size of all items together; the latest one stays, whatever its size. */
  readonly maxBytes: number;
}

/** Decides which items of some size are kept: the latest stay, and the oldest are dropped. */
export class Latest<T> {
  private readonly bounds: LatestBounds;
  private readonly drop: (item: T) => void;
  private readonly items: { readonly item: T; readonly bytes: number }[] = [];
  private bytes = 0;

  constructor(bounds: LatestBounds, drop: (item: T) => void) {
    this.bounds = bounds;
    this.drop = drop;
  }

  /** Adds an item, or one with a new size as the latest, and drops the oldest until the others are within the limits. */
  add(item: T, bytes: number): void {
    const { maxItems, maxBytes } = this.bounds;
    this.delete(item);
    this.items.push({ item, bytes });
    this.bytes += bytes;
    while (this.items.length > 1 && (this.items.length > maxItems || this.bytes > maxBytes)) {
      const oldest = this.items.shift();
      if (!oldest) return;
      this.bytes -= oldest.bytes;
      this.drop(oldest.item);
    }
  }

  /** Takes an item out without dropping it. */
  delete(item: T): void {
    const at = this.items.findIndex((one) => one.item === item);
    if (at >= 0) for (const { bytes } of this.items.splice(at, 1)) this.bytes -= bytes;
  }
}

/** Unfinished work to wait for before its owner ends. */
export class PendingWork {
  private readonly running = new Set<Promise<unknown>>();

  /** Remembers `work` until it has succeeded or failed, and returns it. */
  track<T>(work: Promise<T>): Promise<T> {
    this.running.add(work);
    const forget = () => this.running.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Resolves when all work that is running now has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.running);
  }
}

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
        signal?.removeEventListener('abort', abandon);
      };
      const take = () => {
        leave();
        resolve();
      };
      const abandon = () => {
        leave();
        reject(signal?.reason);
      };
      waiting.add(take);
      signal?.addEventListener('abort', abandon);
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

/** Returns epoch milliseconds with their fraction, so that what follows within the same millisecond is still later. */
export function monotonicNow(): number {
  return performance.timeOrigin + performance.now();
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
