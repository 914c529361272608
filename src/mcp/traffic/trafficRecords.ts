import { TrafficRecorder } from './trafficRecorder';

/** The traffic of each server, which outlives changes to its configuration. */
export class TrafficRecords {
  private readonly recorders = new Map<string, TrafficRecorder>();

  /** Returns the recorder for the server with this id, and creates it if necessary. */
  of(serverId: string): TrafficRecorder {
    const known = this.recorders.get(serverId);
    if (known) return known;
    const recorder = new TrafficRecorder();
    this.recorders.set(serverId, recorder);
    return recorder;
  }

  /** Discards the traffic of all servers except these. */
  keepOnly(serverIds: ReadonlySet<string>): void {
    for (const id of this.recorders.keys()) if (!serverIds.has(id)) this.recorders.delete(id);
  }
}
