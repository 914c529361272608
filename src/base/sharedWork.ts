import { neverAborted, untilAborted } from './abort';
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
