import { Emitter } from '../base/event';

/** The servers whose start waits for the user to decide whether they may run, or to enter a value. */
export class AskedStarts {
  private readonly ids = new Set<string>();
  private readonly changed = new Emitter<string>();

  /** Fires with the id of a server that starts or stops waiting. */
  readonly onDidChange = this.changed.event;

  has(serverId: string): boolean {
    return this.ids.has(serverId);
  }

  /** Counts a server as waiting until `decided` settles. */
  async during<T>(serverId: string, decided: Promise<T>): Promise<T> {
    this.ids.add(serverId);
    this.changed.fire(serverId);
    try {
      return await decided;
    } finally {
      this.ids.delete(serverId);
      this.changed.fire(serverId);
    }
  }
}
