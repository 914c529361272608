import * as vscode from 'vscode';
import type { TreeView } from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Memento } from '../../base/memento';
import { PendingWork } from '../../base/async';
import type { TreeNode } from '../tree';
import { errorDetail } from '../../base/errors';
import type { Event } from '../../base/event';
import type { Logger } from '../../base/log';

/** Expands the rows that a tree finds; those that it finds while its view is hidden, once that is shown. */
export function openFoundRows(
  view: Pick<TreeView<TreeNode>, 'visible' | 'onDidChangeVisibility' | 'reveal'>,
  onDidFind: Event<TreeNode>,
  log: Pick<Logger, 'debug'>,
  opening: Pick<PendingWork, 'track'>,
): Disposable {
  const found = new Set<TreeNode>();
  const open = () => {
    if (!view.visible) return;
    for (const node of found)
      // The row may be gone by the time the editor looks for it.
      opening
        .track(Promise.resolve(view.reveal(node, { select: false, expand: true })))
        .catch((error: unknown) => log.debug(errorDetail(error)));
    found.clear();
  };
  const store = new DisposableStore();
  store.add(
    onDidFind((node) => {
      found.add(node);
      open();
    }),
  );
  store.add(view.onDidChangeVisibility(open));
  return store;
}

/** At most this many rows are known to be open or closed; those opened or closed longest ago are forgotten. */
export const maxKnownRows = 1000;

const stateKey = 'tree.openRows';

/** What {@link OpenRows} needs from the view of a tree. */
export type OpenRowsView = Pick<
  vscode.TreeView<TreeNode>,
  'onDidExpandElement' | 'onDidCollapseElement' | 'reveal' | 'selection' | 'visible'
>;

/**
 * Puts a tree back to how the user had it once they have finished searching it: the editor forgets rows that it does
 * not show, and closes none by itself.
 */
export class OpenRows {
  /** The work that is opening rows now. */
  readonly opening = new PendingWork();
  private readonly known: Map<string, boolean>;
  private readonly store: Memento | undefined;
  /** The rows that only the search has opened, by their ids. */
  private readonly found = new Map<string, TreeNode>();
  /** How often each row was closed again, by its id. */
  private readonly turns = new Map<string, number>();
  private view: OpenRowsView | undefined;
  private selecting: TreeNode | undefined;
  private isSearching = false;

  /** @param store keeps which rows are open over sessions, if given */
  constructor(store?: Memento) {
    this.store = store;
    const kept = store?.get(stateKey);
    this.known = new Map(Array.isArray(kept) ? kept.filter(isKnownRow).slice(-maxKnownRows) : []);
  }

  /** True if the user closed a row, in this session or an earlier one. */
  wasClosed({ id }: TreeNode): boolean {
    return this.known.get(id) === false;
  }

  /** Follows which rows are opened and closed in the view of the tree. */
  watch(view: OpenRowsView): Disposable {
    this.view = view;
    const store = new DisposableStore();
    store.add(view.onDidExpandElement(({ element }) => this.note(element, true)));
    store.add(view.onDidCollapseElement(({ element }) => this.note(element, false)));
    return store;
  }

  /** Returns the item of a row; one that the editor does not show yet is open or closed as it was. */
  item(row: TreeNode): vscode.TreeItem {
    const item = row.item();
    if (!item.collapsibleState) return item;
    const { Collapsed, Expanded } = vscode.TreeItemCollapsibleState;
    item.collapsibleState = this.isOpen(row, item) ? Expanded : Collapsed;
    const turn = this.turns.get(row.id);
    // The editor accepts this state only for a row that is new to it.
    if (turn !== undefined) item.id = `${row.id}#${turn}`;
    return item;
  }

  /** Notes that the user begins to search. */
  beginSearch(): void {
    this.isSearching = true;
  }

  /** Remembers a row that the search opens and those above it, as far as they were closed before. */
  noteFound(row: TreeNode): void {
    for (const one of pathOf(row)) {
      if (this.isOpen(one)) continue;
      this.found.set(one.id, one);
      this.note(one, true);
    }
  }

  /** Ends the search and resolves to the rows that only it has opened, which close once they are redrawn. */
  async endSearch(): Promise<readonly TreeNode[]> {
    this.isSearching = false;
    // A row that is opened later would stay open.
    await this.opening.settled();
    if (this.isSearching) return [];
    const closing = [...this.found.values()].filter((row) => this.isOpen(row));
    this.found.clear();
    for (const row of closing) {
      this.note(row, false);
      this.turns.set(row.id, (this.turns.get(row.id) ?? 0) + 1);
    }
    const [selected, ...others] = this.view?.selection ?? [];
    const path = selected && others.length === 0 ? pathOf(selected) : [];
    if (path.some((row) => closing.includes(row)))
      this.selecting = path.find((row) => !this.isOpen(row));
    return closing;
  }

  /** Selects the closed row that now hides the selected one, once it is redrawn. */
  select(): void {
    const row = this.selecting;
    this.selecting = undefined;
    if (!row || !this.view?.visible) return;
    // The row may be gone by the time the editor looks for it.
    this.opening.track(Promise.resolve(this.view.reveal(row, selectOnly))).catch(() => {});
  }

  /** Forgets a row that has gone, and those below it. */
  forget({ id }: TreeNode): void {
    for (const rows of [this.known, this.found, this.turns])
      for (const one of rows.keys()) if (one === id || one.startsWith(`${id}/`)) rows.delete(one);
  }

  private isOpen(row: TreeNode, item = row.item()): boolean {
    return (
      this.known.get(row.id) ?? item.collapsibleState === vscode.TreeItemCollapsibleState.Expanded
    );
  }

  private note({ id }: TreeNode, isOpen: boolean): void {
    this.known.delete(id);
    this.known.set(id, isOpen);
    const [oldest] = this.known.keys();
    if (this.known.size > maxKnownRows && oldest !== undefined) this.known.delete(oldest);
    void this.store?.update(stateKey, [...this.known]);
  }
}

function isKnownRow(value: unknown): value is [string, boolean] {
  return Array.isArray(value) && typeof value[0] === 'string' && typeof value[1] === 'boolean';
}

const selectOnly = { select: true, focus: false, expand: false };

/** Returns a row and those above it, from the top. */
function pathOf(row: TreeNode): readonly TreeNode[] {
  return [...(row.parent ? pathOf(row.parent) : []), row];
}
