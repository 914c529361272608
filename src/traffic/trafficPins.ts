import type { TrafficRow } from './trafficRow';

/** So many rows are pinned at most, the latest. */
export const maxPins = 50;

/** The rows that stay above the others for as long as the window lives. */
export class TrafficPins {
  private readonly rows: TrafficRow[] = [];

  /** Pins a row, or no longer. */
  set(row: TrafficRow, isPinned: boolean): void {
    const at = this.rows.findIndex(({ traffic }) => traffic === row.traffic);
    if (at >= 0) this.rows.splice(at, 1);
    if (isPinned) this.rows.unshift(row);
    this.rows.splice(maxPins);
  }

  /** True for a row that is pinned. */
  has({ traffic }: TrafficRow): boolean {
    return this.rows.some((row) => row.traffic === traffic);
  }

  /** The pinned rows of a server, the latest pinned first. */
  of(serverId: string): readonly TrafficRow[] {
    return this.rows.filter(({ server }) => server.id === serverId);
  }
}
