import { Timer } from './async';
import type { Disposable } from './disposable';
import type { Logger } from './log';

const maxPerSecond = 100;
const secondMs = 1000;

/** Keeps a server's output from flooding a log: at most a hundred entries a second, then only how many more there were. */
export class BurstLimit implements Disposable {
  private readonly log: Logger;
  private readonly what: string;
  private readonly second = new Timer(() => this.endSecond());
  private written = 0;
  private leftOut = 0;

  /** @param what names what is counted, in the plural. */
  constructor(log: Logger, what: string) {
    this.log = log;
    this.what = what;
  }

  /** Counts one more; true if it may be written. */
  take(): boolean {
    if (!this.second.pending) this.second.start(secondMs);
    const free = this.written < maxPerSecond;
    if (free) this.written += 1;
    else this.leftOut += 1;
    return free;
  }

  dispose(): void {
    this.second.dispose();
    this.endSecond();
  }

  private endSecond(): void {
    if (this.leftOut > 0)
      this.log.warn(
        `The server says too much at once: ${this.leftOut} ${this.what} are left out here.`,
      );
    this.written = 0;
    this.leftOut = 0;
  }
}

const minuteMs = 60_000;

/** Counts what happened within the last minute. */
export class LastMinute {
  private readonly now: () => number;
  private times: number[] = [];

  constructor(now: () => number) {
    this.now = now;
  }

  /** How often it happened. */
  get count(): number {
    const since = this.now() - minuteMs;
    this.times = this.times.filter((time) => time > since);
    return this.times.length;
  }

  /** Counts one more; the function that it returns takes that back. */
  add(): () => void {
    const time = this.now();
    this.times.push(time);
    return () => {
      const index = this.times.indexOf(time);
      if (index >= 0) this.times.splice(index, 1);
    };
  }

  /** Counts one more unless that would exceed `max`; true if it was counted. */
  take(max: number): boolean {
    const isFree = this.count < max;
    if (isFree) this.add();
    return isFree;
  }
}

/** Delays that double from the first to the longest, in milliseconds. */
export interface Backoff {
  readonly firstMs: number;
  readonly longestMs: number;
}

/** The delays of attempts that continue as long as they are wanted: a second at first, a minute at most. */
export const patientBackoff: Backoff = { firstMs: 1000, longestMs: 60_000 };

/** Returns the next delay in milliseconds, after `before` earlier ones. */
export function backoffMs({ firstMs, longestMs }: Backoff, before: number): number {
  return Math.min(firstMs * 2 ** before, longestMs);
}

/** The waits before something is opened again that is lost again and again. */
export class ReopenPace {
  private readonly backoff: Backoff;
  /** How often in a row it could not be opened, or lived for a shorter time than it was waited for. */
  private losses = 0;
  private waitedMs: number;
  private openedAt = Infinity;

  constructor(backoff: Backoff) {
    this.backoff = backoff;
    this.waitedMs = backoff.firstMs;
  }

  /** Notes that it is open, which alone proves nothing: some servers accept a stream and end it at once. */
  opened(): void {
    this.openedAt = Date.now();
  }

  /** Returns how long to wait in milliseconds, now that it is lost or could not be opened. */
  lost(backoff: Backoff = this.backoff): number {
    if (Date.now() - this.openedAt >= this.waitedMs) this.losses = 0;
    this.openedAt = Infinity;
    this.waitedMs = backoffMs(backoff, this.losses);
    this.losses += 1;
    return this.waitedMs;
  }
}

/** How soon something is refreshed of which others say that it has changed. */
export interface RefreshPace {
  /** The wait after what was announced, twice as long after each refresh that another announcement followed too soon. */
  readonly quiet: Backoff;
  /** In a storm of announcements, at least one refresh in so many milliseconds, unless it waits longer after hasty ones. */
  readonly stormMs: number;
  /** An announcement this many milliseconds after a refresh, or during one, comes too soon: the refresh may cause it. */
  readonly restlessMs: number;
}

/**
 * Refreshes what others say has changed: once for announcements that come together, now and then in a storm of them,
 * one refresh at a time, and less and less often where each refresh is answered by the next announcement.
 */
export class AnnouncedRefresh implements Disposable {
  private readonly run: () => Promise<void>;
  private readonly pace: RefreshPace;
  private readonly timer = new Timer(() => void this.refresh());
  private running: Promise<void> | undefined;
  private again = false;
  private stormSince = 0;
  private quietMs: number;
  /** How many announcements in a row came too soon. */
  private hasty = 0;
  private endedAt = -Infinity;

  /** @param run refreshes it; never rejects. */
  constructor(run: () => Promise<void>, pace: RefreshPace) {
    this.run = run;
    this.pace = pace;
    this.quietMs = pace.quiet.firstMs;
  }

  /** True between an announcement and the refresh that it causes. */
  get pending(): boolean {
    return this.timer.pending;
  }

  /** Refreshes now, or once more after the refresh that is under way, for which it waits. */
  refresh(): Promise<void> {
    this.timer.dispose();
    if (this.running) {
      this.again = true;
      return this.running;
    }
    const running = this.run().finally(() => {
      if (this.running !== running) return;
      this.running = undefined;
      this.endedAt = Date.now();
      if (!this.again) return;
      this.again = false;
      this.timer.start(this.quietMs);
    });
    this.running = running;
    return running;
  }

  /** Refreshes soon. */
  announce(): void {
    const now = Date.now();
    const { quiet, stormMs, restlessMs } = this.pace;
    if (!this.timer.pending) {
      this.stormSince = now;
      const restless = this.running !== undefined || now - this.endedAt < restlessMs;
      if (!restless) this.hasty = 0;
      this.quietMs = backoffMs(quiet, this.hasty);
      this.hasty += 1;
    }
    const left = this.stormSince + Math.max(stormMs, this.quietMs) - now;
    if (left > 0) this.timer.start(Math.min(this.quietMs, left));
  }

  /** Ends what was announced, and waits no longer for a refresh that is under way. */
  dispose(): void {
    this.timer.dispose();
    this.running = undefined;
    this.again = false;
  }
}
