import { Timer } from '../async';
import type { Disposable } from '../disposable';
import type { Logger } from '../log';

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
