import type * as vscode from 'vscode';
import { Timer } from '../../base/async';
import type { Disposable } from '../../base/disposable';
import type { PickLook, PickRow } from './picks';

/** A highlight that moved less than this long ago is about to be moved on, or its row taken. */
const restMs = 500;

/**
 * The rows of a quick pick that change while it is shown. New rows put the highlight back to where it was last known to
 * be, and the editor reports late where a key has put it: so rows that look the same are not redrawn, and others only
 * once the highlight rests.
 */
export class SteadyRows<T extends PickLook> implements Disposable {
  private readonly pick: Pick<
    vscode.QuickPick<PickRow<T>>,
    'items' | 'activeItems' | 'onDidChangeActive'
  >;
  private readonly read: () => readonly PickRow<T>[];
  private readonly isSame: (row: T, other: T) => boolean;
  private readonly waiting = new Timer(() => this.draw());
  private readonly moves: Disposable;
  private movedAt = -Infinity;

  /** @param isSame true for a row and the one that takes its place among new rows. */
  constructor(
    pick: SteadyRows<T>['pick'],
    read: SteadyRows<T>['read'],
    isSame: SteadyRows<T>['isSame'],
  ) {
    this.pick = pick;
    this.read = read;
    this.isSame = isSame;
    this.moves = pick.onDidChangeActive(() => {
      this.movedAt = Date.now();
      if (this.waiting.pending) this.waiting.start(restMs);
    });
    pick.items = read();
  }

  /** Notes that the rows may look different now. */
  refresh(): void {
    if (this.waiting.pending) return;
    const rest = this.movedAt + restMs - Date.now();
    if (rest > 0) this.waiting.start(rest);
    else this.draw();
  }

  dispose(): void {
    this.waiting.dispose();
    this.moves.dispose();
  }

  private draw(): void {
    const { pick } = this;
    const rows = this.read();
    if (lookOf(rows) === lookOf(pick.items)) return;
    const [active] = pick.activeItems;
    pick.items = rows;
    const again = active && rows.find((row) => this.isSame(row, active));
    if (again) pick.activeItems = [again];
  }
}

/** Returns what can be seen of rows, for comparison. */
function lookOf(rows: readonly PickLook[]): string {
  return JSON.stringify(
    rows.map(({ label, description, detail, buttons }) => [
      label,
      description,
      detail,
      buttons?.map(({ tooltip }) => tooltip),
    ]),
  );
}
