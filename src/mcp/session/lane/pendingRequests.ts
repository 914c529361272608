import type { Progress } from '../../protocol/types';
import type { DeadlineHold } from './deadlineHold';
import { PendingRequest, readProgress, type Deadlines } from './pendingRequest';

/** The SDK numbers its own requests from zero, so both can share one connection. */
const firstId = 1_000_000;

/** How one request waits. */
interface Wait {
  readonly deadlines: Deadlines;
  readonly onProgress: ((progress: Progress) => void) | undefined;
  /** Progress is passed on after the answer too, until this aborts. */
  readonly progressUntil: AbortSignal | undefined;
  /** Called with the milliseconds that were waited for; it has to fail the request. */
  readonly onExpired: (id: number, waited: number) => void;
}

/** The requests of one connection that wait for their answers: each ends once, whatever comes afterwards. */
export class PendingRequests {
  private readonly hold: DeadlineHold | undefined;
  private readonly waiting = new Map<number, PendingRequest>();
  /** Of requests that were answered, and whose work goes on. */
  private readonly listeners = new Map<number, (progress: Progress) => void>();
  private nextId = firstId;

  /** @param hold stops the clock of every request, those too that are added meanwhile. */
  constructor(hold?: DeadlineHold) {
    this.hold = hold;
    hold?.onDidChange((isHeld) => {
      for (const request of this.waiting.values())
        if (isHeld) request.pause();
        else request.resume();
    });
  }

  /** A request that is about to be sent, under an id of its own, and what it ends with. */
  add(wait: Wait): { readonly id: number; readonly answer: Promise<unknown> } {
    const { deadlines, onProgress, progressUntil, onExpired } = wait;
    const id = this.nextId++;
    const request = new PendingRequest(deadlines, onProgress, (waited) => onExpired(id, waited));
    if (this.hold?.isHeld) request.pause();
    this.waiting.set(id, request);
    if (onProgress && progressUntil) {
      this.listeners.set(id, onProgress);
      progressUntil.addEventListener('abort', () => this.listeners.delete(id), { once: true });
    }
    return { id, answer: request.promise };
  }

  /** True for the id of a request that waits. */
  has(id: unknown): boolean {
    return this.waiting.has(id as number);
  }

  /** True for an id that was given here, whether or not its request waits yet. */
  isOurs(id: unknown): id is number {
    return typeof id === 'number' && id >= firstId;
  }

  succeed(id: number, result: unknown): void {
    this.take(id)?.succeed(result);
  }

  /** False where the request had ended. */
  fail(id: number, error: unknown): boolean {
    const request = this.take(id);
    request?.fail(error);
    return request !== undefined;
  }

  /** Ends all that wait, each with an error of its own. */
  failAll(createError: () => Error): void {
    const requests = [...this.waiting.values()];
    this.waiting.clear();
    for (const request of requests) request.fail(createError());
  }

  /** Passes the parameters of a progress notification on; false where nobody wants them. */
  progress(token: number, params: Readonly<Record<string, unknown>>): boolean {
    const request = this.waiting.get(token);
    const listener = this.listeners.get(token);
    if (request) request.progress(params);
    else listener?.(readProgress(params));
    return request !== undefined || listener !== undefined;
  }

  /** Runs `task`; none that waits meanwhile runs out of time. */
  async whilePaused<T>(task: () => Promise<T>): Promise<T> {
    const paused = [...this.waiting];
    for (const [, request] of paused) request.pause();
    try {
      return await task();
    } finally {
      for (const [id, request] of paused) if (this.waiting.get(id) === request) request.resume();
    }
  }

  private take(id: number): PendingRequest | undefined {
    const request = this.waiting.get(id);
    this.waiting.delete(id);
    return request;
  }
}
