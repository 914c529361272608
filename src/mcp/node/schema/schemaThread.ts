import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { Timer, createLimiter, deferred } from '../../../base/async';
import type { Disposable } from '../../../base/disposable';
import type {
  PathAnswer,
  PathTask,
  RunSchemaTask,
  SchemaTask,
  ValidationResult,
  UncheckedReason,
} from '../../schema/validation';

/** How many times longer work may take by the clock of a busy machine than in the thread's own time. */
const slack = 4;

/** Work that ends sooner is not worth asking the thread for its time, in milliseconds. */
const briefMs = 20;

/** A worker that tells its time, as of Node 24.6; the types are of an older version. */
type TimedWorker = Worker & {
  readonly cpuUsage?: () => Promise<{ readonly user: number; readonly system: number }>;
};

/**
 * Calls `onOver` once a thread has worked for `ms` milliseconds of its own time, so that other programs do not
 * count; at the latest, and if that time is unknown, after four times as long by the clock.
 */
function watchThreadTime(worker: TimedWorker, ms: number, onOver: () => void): Disposable {
  let ended = false;
  const over = () => {
    if (!ended) onOver();
  };
  const used = async () => {
    const { user = 0, system = 0 } = (await worker.cpuUsage?.()) ?? {};
    return (user + system) / 1000;
  };
  // What it did until then counts as if it had worked all the time.
  let before = 0;
  let next: NodeJS.Timeout;
  const begin = async () => {
    before = await used();
    if (!ended) next = setTimeout(lookAgain, ms - briefMs);
  };
  const look = async () => {
    const left = ms - briefMs - ((await used()) - before);
    if (left <= 0) over();
    else if (!ended) next = setTimeout(lookAgain, Math.max(left, 10));
  };
  // A thread that has just ended tells no time; the clock still counts.
  const lookAgain = () => void look().catch(() => undefined);
  next = setTimeout(() => void begin().catch(() => undefined), briefMs);
  const last = setTimeout(over, ms * slack);
  return {
    dispose: () => {
      ended = true;
      clearTimeout(next);
      clearTimeout(last);
    },
  };
}

/** The limits of one check: the thread's own time, and its heap. */
export interface SchemaBudget {
  readonly ms: number;
  readonly megabytes: number;
}

const maxCheckMs = 250;
const maxCheckMegabytes = 64;
const usualBudget: SchemaBudget = { ms: maxCheckMs, megabytes: maxCheckMegabytes };
const maxStartMs = 20_000;
/** At most this many checks wait for their turn; further ones are not made. */
export const maxWaitingChecks = 200;

/**
 * The thread in which values are checked, one after another: started with the first check, and ended
 * when one exceeds its budget, so that the next starts another. It does not keep the process alive while idle.
 */
export class SchemaThread implements Disposable {
  private readonly budget: SchemaBudget;
  private readonly file: string;
  private readonly inTurn = createLimiter(1);
  private worker: Worker | undefined;
  private waiting = 0;
  private disposed = false;

  constructor(budget = usualBudget, file = join(__dirname, 'schemaWorker.js')) {
    this.budget = budget;
    this.file = file;
  }

  readonly run: RunSchemaTask = async (task) => {
    if (this.waiting >= maxWaitingChecks)
      return { kind: 'unchecked', reason: 'unavailable', detail: 'Too many checks wait.' };
    this.waiting += 1;
    return this.inTurn(() => this.check(task)).finally(() => (this.waiting -= 1));
  };

  dispose(): void {
    this.disposed = true;
    this.end();
  }

  private async check(task: SchemaTask | PathTask): Promise<ValidationResult | PathAnswer> {
    if (this.disposed) return { kind: 'unchecked', reason: 'unavailable' };
    try {
      this.worker ??= await this.start();
      return await this.runOn(this.worker, task);
    } catch (error) {
      this.end();
      return { kind: 'unchecked', reason: reasonOf(error), detail: String(error) };
    }
  }

  private end(): void {
    void this.worker?.terminate();
    this.worker = undefined;
  }

  private async start(): Promise<Worker> {
    const { megabytes } = this.budget;
    const worker = new Worker(this.file, {
      env: {},
      execArgv: [],
      resourceLimits: {
        maxOldGenerationSizeMb: megabytes,
        maxYoungGenerationSizeMb: megabytes / 4,
      },
    });
    // Nobody waits for the errors of a thread that was given up.
    worker.on('error', () => undefined);
    worker.on('exit', () => {
      if (this.worker === worker) this.worker = undefined;
    });
    try {
      await nextMessage(worker, (over) => {
        const timer = new Timer(over);
        timer.start(maxStartMs);
        return timer;
      });
      return worker;
    } catch (error) {
      void worker.terminate();
      throw error;
    }
  }

  private runOn(
    worker: Worker,
    task: SchemaTask | PathTask,
  ): Promise<ValidationResult | PathAnswer> {
    const watch = (over: () => void) => watchThreadTime(worker, this.budget.ms, over);
    const answer = nextMessage<ValidationResult | PathAnswer>(worker, watch);
    worker.postMessage(task);
    return answer;
  }
}

class OutOfTime extends Error {}

/** Waits for the next message of a thread, as long as `watch` allows; meanwhile, the thread keeps the process alive. */
async function nextMessage<T>(worker: Worker, watch: (over: () => void) => Disposable): Promise<T> {
  const next = deferred<T>();
  const onMessage = (message: T) => next.resolve(message);
  const onError = (error: unknown) => next.reject(error);
  const onExit = () => next.reject(new Error('The thread ended.'));
  worker.ref();
  worker.on('message', onMessage).on('error', onError).on('exit', onExit);
  const watching = watch(() => next.reject(new OutOfTime('It took longer than it may.')));
  try {
    return await next.promise;
  } finally {
    watching.dispose();
    worker.off('message', onMessage).off('error', onError).off('exit', onExit);
    worker.unref();
  }
}

/** Returns why a check was not made; an error of a thread is from another realm, so its class says nothing. */
function reasonOf(error: unknown): UncheckedReason {
  if (error instanceof OutOfTime) return 'time';
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : '';
  return code === 'ERR_WORKER_OUT_OF_MEMORY' ? 'memory' : 'unavailable';
}
