const maxKept = 20;

/** What was attached to requests that failed, so that they go with it when they are sent again. */
export class Retries<T> {
  private readonly attached = new Map<string, readonly T[]>();
  private readonly begun = new Set<string>();

  /** Keeps what was attached to a request, the oldest making room. */
  keep(query: string, references: readonly T[]): void {
    this.attached.delete(query);
    this.attached.set(query, references);
    for (const oldest of this.attached.keys()) {
      if (this.attached.size <= maxKept) break;
      this.attached.delete(oldest);
    }
  }

  /** The request is about to be sent again: gives what was attached, `undefined` where that is forgotten. */
  begin(query: string): readonly T[] | undefined {
    const references = this.attached.get(query);
    if (references) this.begun.add(query);
    return references;
  }

  /** What goes with a request that has come in: nothing unless it is one that is sent again. */
  take(query: string): readonly T[] {
    return this.begun.delete(query) ? (this.attached.get(query) ?? []) : [];
  }
}
