import type * as vscode from 'vscode';
import { Command } from '../ui/ids';
import type { TreeNode } from '../ui/tree';

/** The longest time between the two clicks of a double click. */
const doubleClickMs = 500;

/** What clicks on rows do, in the editor or for a test. */
export interface RowActions {
  readonly run: (command: string, args: readonly unknown[]) => Promise<unknown>;
  readonly keepTab: () => Promise<void>;
}

/** Has the second click of a double click do nothing again, but keep the tab that the first one opened, as in the editor's own lists. */
export class RowClicks {
  private readonly actions: RowActions;
  private readonly now: () => number;
  private last: { readonly row: string; readonly at: number; readonly done: Promise<unknown> } = {
    row: '',
    at: -Infinity,
    done: Promise.resolve(),
  };

  constructor(actions: RowActions, now: () => number = Date.now) {
    this.actions = actions;
    this.now = now;
  }

  /** A click on a row, or Enter, which selects it first. */
  async click(row: TreeNode | undefined): Promise<void> {
    const { id, command } = row?.item() ?? {};
    if (id !== undefined && command) await this.run(id, command.command, command.arguments ?? []);
  }

  private async run(row: string, command: string, args: readonly unknown[]): Promise<void> {
    const at = this.now();
    const { last } = this;
    const isDouble = last.row === row && at - last.at < doubleClickMs;
    const done = isDouble ? last.done : this.actions.run(command, args);
    this.last = { row, at: isDouble ? -Infinity : at, done };
    await done;
    if (isDouble && command === Command.openResource) await this.actions.keepTab();
  }
}

/**
 * Has what a row does go through {@link RowClicks}. Without arguments: the editor forgets those of a row that
 * changes, while the one that it still shows takes clicks.
 */
export function throughRowClicks(item: vscode.TreeItem): vscode.TreeItem {
  const { id, command } = item;
  if (id === undefined || !command) return item;
  return Object.assign(item, { command: { title: command.title, command: Command.clickRow } });
}
