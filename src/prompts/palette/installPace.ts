import { backoffMs } from '../../base/pace/backoff';

const shortestRestMs = 3000;

/** The longest wait before an install that a server's changes cause, in milliseconds. */
export const longestRestMs = 15 * 60_000;

/**
 * The pause between two installs of palette entries: if a server keeps changing its prompts, each pause is twice as
 * long as the one before, until it has been quiet for that long.
 */
export class InstallPace {
  private readonly now: () => number;
  private restMs = shortestRestMs;
  /** How many installs in a row came soon after the pause of the one before. */
  private hasty = 0;
  private restUntil = -Infinity;

  constructor(now: () => number) {
    this.now = now;
  }

  /** How many milliseconds are left to wait. */
  get left(): number {
    return Math.max(0, this.restUntil - this.now());
  }

  /** Counts an install that has just happened. */
  installed(): void {
    const now = this.now();
    const wasQuiet = now > this.restUntil + this.restMs;
    this.hasty = wasQuiet ? 0 : this.hasty + 1;
    this.restMs = backoffMs({ firstMs: shortestRestMs, longestMs: longestRestMs }, this.hasty);
    this.restUntil = now + this.restMs;
  }
}
