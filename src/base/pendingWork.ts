/** Work that something which ends waits for. */
export class PendingWork {
  private readonly running = new Set<Promise<unknown>>();

  /** Remembers it until it has ended, one way or the other. */
  track<T>(work: Promise<T>): Promise<T> {
    this.running.add(work);
    const forget = () => this.running.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Resolves when all has ended that runs now. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.running);
  }
}
