import type * as vscode from 'vscode';
import { Command } from '../ui/ids';
import type { RowClick } from '../ui/rows/rowClicks';
import type { TreeNode } from '../ui/tree';

/** A function that runs a command, in the editor or in a test. */
export type RunRowCommand = (command: string, args: readonly unknown[]) => Promise<unknown>;

/** Returns what clicking a row of the server tree does; `undefined` if it does nothing. */
export function nodeClick(node: TreeNode, run: RunRowCommand): RowClick | undefined {
  const { id, command } = node.item();
  if (id === undefined || !command) return undefined;
  return { row: id, run: () => run(command.command, command.arguments ?? []) };
}

/** Routes a row's command through the view's click command, which takes no arguments. */
export function throughRowClicks(item: vscode.TreeItem): vscode.TreeItem {
  const { id, command } = item;
  if (id === undefined || !command) return item;
  return Object.assign(item, { command: { title: command.title, command: Command.clickRow } });
}
