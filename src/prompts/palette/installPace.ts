import { backoffMs } from '../../base/pace/backoff';

const shortestRestMs = 3000;

/** The longest that an install of a server's making waits for, in milliseconds. */
export const longestRestMs = 15 * 60_000;

/**
 * How long the palette rests between two installs: a server that changes its prompts again and again
 * makes each wait twice as long as the one before, until it has been quiet for as long.
 */
export class InstallPace {
  private readonly now: () => number;
  private restMs = shortestRestMs;
  /** How many installs in a row came right after the rest of the one before. */
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
