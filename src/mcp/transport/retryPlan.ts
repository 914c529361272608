import { Timer } from '../../base/async';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { backoffMs, ReopenPace, type Backoff } from '../../base/pace/backoff';

/** The shortest pause that a server may ask for, so that it is not flooded. */
const shortestPauseMs = 100;

/** The longest pause that a server may ask for: none plans further ahead, but one may count in a smaller unit. */
const longestPauseMs = 60 * 60_000;

/** Reopens the streams of one session after pauses; reopens nothing after it is disposed. */
export class RetryPlan implements Disposable {
  private readonly timers = new DisposableStore();
  private readonly backoff: Backoff;
  private readonly pace: ReopenPace;

  constructor(backoff: Backoff) {
    this.backoff = backoff;
    this.pace = new ReopenPace(backoff);
  }

  /** Notes that a stream is open. */
  opened(): void {
    this.pace.opened();
  }

  /**
   * Runs `reconnect` after a pause, which is longer the more attempts have failed since the stream was lost, and the more
   * streams ended right after they were opened.
   * @param askedMs the shortest pause that the server asked for, in milliseconds.
   */
  plan(reconnect: () => void, failures: number, askedMs: number = this.backoff.firstMs): void {
    const pauseMs =
      failures === 0 ? this.first(askedMs) : Math.max(askedMs, backoffMs(this.backoff, failures));
    const timer = new Timer(() => {
      this.timers.delete(timer);
      reconnect();
    });
    timer.start(Math.min(Math.max(pauseMs, shortestPauseMs), longestPauseMs));
    // Added last: if the plan is disposed already, this stops the timer.
    this.timers.add(timer);
  }

  /** A server may end its streams on purpose at the pace that it asked for, but not at any (SEP-1699). */
  private first(askedMs: number): number {
    const { firstMs } = this.backoff;
    if (askedMs > firstMs) return askedMs;
    if (askedMs === firstMs) return this.pace.lost();
    return this.pace.lost({ firstMs: Math.max(askedMs, shortestPauseMs), longestMs: firstMs });
  }

  dispose(): void {
    this.timers.dispose();
  }
}
