import { Timer } from '../../base/async';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { backoffMs, type Backoff } from '../../base/pace/backoff';

/** A server may ask for another pause, but for none that floods it. */
const shortestPauseMs = 100;

/** Nor for one that is never over: no server plans that far ahead, but one may count in a smaller unit. */
const longestPauseMs = 60 * 60_000;

/** The pauses before streams of one session are opened again; nothing is opened after it is disposed. */
export class RetryPlan implements Disposable {
  private readonly timers = new DisposableStore();
  private readonly backoff: Backoff;

  constructor(backoff: Backoff) {
    this.backoff = backoff;
  }

  /**
   * Runs `reconnect` later, and the later the more attempts failed since the stream was lost.
   * @param askedMs what the server asked for at least, in milliseconds.
   */
  plan(reconnect: () => void, failures: number, askedMs: number = this.backoff.firstMs): void {
    const pauseMs = failures === 0 ? askedMs : Math.max(askedMs, backoffMs(this.backoff, failures));
    const timer = new Timer(() => {
      this.timers.delete(timer);
      reconnect();
    });
    timer.start(Math.min(Math.max(pauseMs, shortestPauseMs), longestPauseMs));
    // Only now, so that the end that was before stops it.
    this.timers.add(timer);
  }

  dispose(): void {
    this.timers.dispose();
  }
}
