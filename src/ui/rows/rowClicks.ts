import * as vscode from 'vscode';
import { Command } from '../ids';
import type { UserAction } from '../questions/question';
import type { TreeNode } from '../tree';

/** The longest time between the two clicks of a double click, in milliseconds. */
export const doubleClickMs = 500;

/** The same for keeping a tab: a busy editor reports the second click late, and keeping a tab does no harm. */
const keepingClickMs = 1500;

/** How many times to wait for the editor to draw the rows of a view: a row that is not there by then is gone. */
const maxWaits = 100;

/** What a click on a row does. */
export interface RowClick {
  /** The row’s id. */
  readonly row: string;
  /** Resolves to true if it has opened a tab, which a double click keeps. */
  readonly run: (action: UserAction) => Promise<unknown>;
}

/** What clicks need from the editor. */
export interface ClickingEditor {
  readonly keepTab: () => Promise<void>;
  readonly untilEditorCaughtUp: () => Promise<void>;
  /**
   * Gives the keyboard back to what a click at that time, in epoch ms, asked the user: the second click took it away.
   */
  readonly showAsked?: (since: number) => void;
}

/**
 * Handles clicks on rows: as in the editor's own lists, the second click of a double click does not act again but keeps
 * the tab that the first one opened. Rows pass no arguments to their command, because the editor forgets those of a row
 * that changes while the one that it still shows takes clicks; what was clicked is what the view has selected.
 */
export class RowClicks<Row> {
  private readonly view: { readonly selection: readonly Row[] };
  private readonly clickOf: (row: Row) => RowClick | undefined;
  private readonly editor: ClickingEditor;
  private readonly now: () => number;
  private last: { readonly row: string; readonly at: number; readonly done: Promise<unknown> } = {
    row: '',
    at: -Infinity,
    done: Promise.resolve(),
  };

  constructor(
    view: { readonly selection: readonly Row[] },
    clickOf: (row: Row) => RowClick | undefined,
    editor: ClickingEditor,
    now: () => number = Date.now,
  ) {
    this.view = view;
    this.clickOf = clickOf;
    this.editor = editor;
    this.now = now;
  }

  /** Handles a click on a row, or Enter, which selects the row first. */
  async click(action: UserAction): Promise<void> {
    const at = this.now();
    const row = await this.selected();
    const click = row && this.clickOf(row);
    if (click) await this.run(click, at, action);
  }

  /** Waits for the selected row: while the editor redraws rows, it knows none of them. */
  private async selected(): Promise<Row | undefined> {
    for (let waits = 0; this.view.selection.length === 0 && waits < maxWaits; waits += 1)
      await this.editor.untilEditorCaughtUp();
    return this.view.selection[0];
  }

  private async run({ row, run }: RowClick, at: number, action: UserAction): Promise<void> {
    const { last } = this;
    const sinceMs = last.row === row ? at - last.at : Infinity;
    const isDouble = sinceMs < doubleClickMs;
    const done = isDouble ? last.done : run(action);
    this.last = { row, at: isDouble ? -Infinity : at, done };
    if (isDouble) this.editor.showAsked?.(last.at);
    const hasOpened = (await done) === true;
    if (hasOpened && sinceMs < keepingClickMs) await this.editor.keepTab();
  }
}

/** Routes a row's command through the view's click command, which takes no arguments. */
export function throughRowClicks(item: vscode.TreeItem): vscode.TreeItem {
  const { id, command } = item;
  if (id === undefined || !command) return item;
  return Object.assign(item, { command: { title: command.title, command: Command.clickRow } });
}

/** Returns what clicking a row does, which is its command; `undefined` if it has none. */
export function nodeClick(node: TreeNode): RowClick | undefined {
  const { id, command } = node.item();
  if (id === undefined || !command) return undefined;
  const { command: name } = command;
  const given: readonly unknown[] = command.arguments ?? [];
  return { row: id, run: async () => vscode.commands.executeCommand(name, ...given) };
}
