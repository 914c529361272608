import type * as vscode from 'vscode';
import { Timer } from '../../base/async';
import type { Disposable } from '../../base/disposable';
import type { PickLook, PickRow } from './picks';

/** What moved so short a time ago is about to be moved on, or taken. */
const restMs = 500;

/**
 * The rows of a quick pick that change while it is shown. New rows put the highlight back to where it was known to be,
 * and the editor tells some time later where a key has put it: so what looks the same is not drawn anew, and
 * what does not waits until the highlight rests.
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

  /** @param isSame true of a row and the one that takes its place among new ones. */
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

  /** Says that the rows may look different now. */
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

/** What can be seen of rows. */
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
