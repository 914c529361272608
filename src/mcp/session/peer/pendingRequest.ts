import type { Deadlines } from '../../serverConfig';
import type { Progress } from '../../protocol/types';

/** The longest delay of a timer in milliseconds; a longer one would fire immediately. */
export const longestTimerMs = 2_147_483_647;

/** A request that waits for its answer: it settles once, and progress extends its deadline up to the ceiling. */
export class PendingRequest {
  readonly promise: Promise<unknown>;
  private resolve!: (result: unknown) => void;
  private reject!: (error: unknown) => void;
  private timer: ReturnType<typeof setTimeout>;
  private ends: number;
  /** How many questions of the server stop the clock, and since when, epoch ms. */
  private pauses = 0;
  private pausedAt = 0;
  private readonly deadlines: Deadlines;
  private readonly onProgress: ((progress: Progress) => void) | undefined;
  private readonly onExpired: (waited: number) => void;

  /** @param onExpired called with the milliseconds that the request waited; it has to settle the request. */
  constructor(
    deadlines: Deadlines,
    onProgress: ((progress: Progress) => void) | undefined,
    onExpired: (waited: number) => void,
  ) {
    this.deadlines = deadlines;
    this.onProgress = onProgress;
    this.onExpired = onExpired;
    this.ends = Date.now() + deadlines.ceiling;
    this.promise = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
    this.timer = this.wait();
  }

  /** Takes a progress notification: passes it on and moves the deadline. */
  progress(params: Readonly<Record<string, unknown>>): void {
    if (this.pauses === 0) {
      clearTimeout(this.timer);
      this.timer = this.wait();
    }
    this.onProgress?.(readProgress(params));
  }

  /** Stops the clock, such as while the server waits for a user. */
  pause(): void {
    if (this.pauses === 0) this.pausedAt = Date.now();
    this.pauses += 1;
    clearTimeout(this.timer);
  }

  /** Restarts the clock after as many calls as of {@link pause}; not to be called for a settled request. */
  resume(): void {
    this.pauses -= 1;
    if (this.pauses > 0) return;
    this.ends += Date.now() - this.pausedAt;
    this.timer = this.wait();
  }

  succeed(result: unknown): void {
    clearTimeout(this.timer);
    this.resolve(result);
  }

  fail(error: unknown): void {
    clearTimeout(this.timer);
    this.reject(error);
  }

  private wait(): ReturnType<typeof setTimeout> {
    const left = Math.max(0, this.ends - Date.now());
    const { request, ceiling } = this.deadlines;
    const waits = left < request ? ceiling : request;
    return setTimeout(() => this.onExpired(waits), Math.min(left, request, longestTimerMs));
  }
}

/** Reads the parameters of a progress notification, however malformed they are. */
export function readProgress(params: Readonly<Record<string, unknown>>): Progress {
  const { progress, total, message } = params;
  return {
    progress: typeof progress === 'number' ? progress : 0,
    ...(typeof total === 'number' && { total }),
    ...(typeof message === 'string' && { message }),
  };
}
