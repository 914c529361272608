/** Unfinished work to wait for before its owner ends. */
export class PendingWork {
  private readonly running = new Set<Promise<unknown>>();

  /** Remembers `work` until it has succeeded or failed, and returns it. */
  track<T>(work: Promise<T>): Promise<T> {
    this.running.add(work);
    const forget = () => this.running.delete(work);
    work.then(forget, forget);
    return work;
  }

  /** Resolves when all work that is running now has ended. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.running);
  }
}
