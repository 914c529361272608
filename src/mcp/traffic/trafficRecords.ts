import { TrafficRecorder } from './trafficRecorder';

/** The traffic of each server, which outlives changes of its configuration. */
export class TrafficRecords {
  private readonly recorders = new Map<string, TrafficRecorder>();

  /** What keeps the traffic of the server with this id. */
  of(serverId: string): TrafficRecorder {
    const known = this.recorders.get(serverId);
    if (known) return known;
    const recorder = new TrafficRecorder();
    this.recorders.set(serverId, recorder);
    return recorder;
  }

  /** Forgets all but the traffic of these servers. */
  keepOnly(serverIds: ReadonlySet<string>): void {
    for (const id of this.recorders.keys()) if (!serverIds.has(id)) this.recorders.delete(id);
  }
}
