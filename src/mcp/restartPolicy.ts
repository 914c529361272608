const firstDelayMs = 1000;
const longestDelayMs = 60_000;
const windowMs = 10 * 60_000;
const maxRestarts = 5;

/** Says how long to wait before a server that crashed is started again: five times in ten minutes. */
export class RestartPolicy {
  private crashes: number[] = [];

  /** Notes a crash at `now`; the delay in milliseconds, or nothing when it is not worth trying. */
  crashed(now = Date.now()): number | undefined {
    this.crashes = [...this.crashes.filter((time) => now - time < windowMs), now];
    const count = this.crashes.length;
    if (count > maxRestarts) return undefined;
    return Math.min(firstDelayMs * 2 ** (count - 1), longestDelayMs);
  }

  /** Forgets the crashes: a person started the server. */
  reset(): void {
    this.crashes = [];
  }
}
