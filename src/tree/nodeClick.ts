import type * as vscode from 'vscode';
import { Command } from '../ui/ids';
import type { RowClick } from '../ui/rows/rowClicks';
import type { TreeNode } from '../ui/tree';

/** Runs a command of the editor, or of a test. */
export type RunRowCommand = (command: string, args: readonly unknown[]) => Promise<unknown>;

/** What a click on a row of the servers does, if it does anything. */
export function nodeClick(node: TreeNode, run: RunRowCommand): RowClick | undefined {
  const { id, command } = node.item();
  if (id === undefined || !command) return undefined;
  return { row: id, run: () => run(command.command, command.arguments ?? []) };
}

/** Has what a row does go through the clicks of the view, whose command needs no arguments. */
export function throughRowClicks(item: vscode.TreeItem): vscode.TreeItem {
  const { id, command } = item;
  if (id === undefined || !command) return item;
  return Object.assign(item, { command: { title: command.title, command: Command.clickRow } });
}
