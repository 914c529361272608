const maxKept = 20;

/** The attachments of requests that the user may send again, so that they are sent along. */
export class Retries<T> {
  private readonly attached = new Map<string, readonly T[]>();
  private readonly begun = new Set<string>();

  /** Keeps the attachments of a request, discarding the oldest ones if necessary. */
  keep(query: string, references: readonly T[]): void {
    this.attached.delete(query);
    this.attached.set(query, references);
    for (const oldest of this.attached.keys()) {
      if (this.attached.size <= maxKept) break;
      this.attached.delete(oldest);
    }
  }

  /** Notes that a request is about to be sent again; returns its attachments, or `undefined` if they are forgotten. */
  begin(query: string): readonly T[] | undefined {
    const references = this.attached.get(query);
    if (references) this.begun.add(query);
    return references;
  }

  /** Returns the kept attachments of an incoming request; empty unless it is one that is sent again. */
  take(query: string): readonly T[] {
    return this.begun.delete(query) ? (this.attached.get(query) ?? []) : [];
  }
}
