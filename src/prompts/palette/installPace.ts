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
    this.restMs = wasQuiet ? shortestRestMs : Math.min(this.restMs * 2, longestRestMs);
    this.restUntil = now + this.restMs;
  }
}
