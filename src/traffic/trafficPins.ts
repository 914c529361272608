import type { TrafficRow } from './trafficRow';

/** At most this many rows are pinned, the latest. */
export const maxPins = 50;

/** The rows that stay above the others until the window closes. */
export class TrafficPins {
  private readonly rows: TrafficRow[] = [];

  /** Pins or unpins a row. */
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

  /** Returns the pinned rows of a server, most recently pinned first. */
  of(serverId: string): readonly TrafficRow[] {
    return this.rows.filter(({ server }) => server.id === serverId);
  }
}
