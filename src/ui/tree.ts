import type { TreeItem, Uri } from 'vscode';
import type { Event } from '../base/event';
import { isRecord } from '../base/json';
import type { Server } from '../mcp/server';

/** The number of rows in one page of a long list. */
export const rowsPerPage = 500;

/** One entry of the sidebar tree: what it stands for, and how its row is made. */
export interface TreeNode {
  /** Unique in the tree and stable across refreshes, so that expansion and selection survive. */
  readonly id: string;
  readonly parent: TreeNode | undefined;
  /** Returns the item to show; called on every refresh of the row, so it is cheap. */
  item(): TreeItem;
  /** Returns the rows below; absent if there can be none. */
  children?(): readonly TreeNode[] | Promise<readonly TreeNode[]>;
  /** Handles a click on the check box, if the item has one. */
  setChecked?(checked: boolean): Promise<void>;
  /** Lets the next page of the rows below be shown, if they come in pages. */
  showMore?(): void;
  /** The server the row belongs to, for commands run on the row. */
  readonly server?: Server;
  /** True for the row of a server itself, wherever it stands. */
  readonly isServer?: true;
  /** The folder that resources dropped on the row are saved to. */
  readonly folder?: Uri;
}

/** True for a row of the tree that holds what it stands for in properties with these names. */
export function isNodeOf(value: unknown, ...entries: readonly string[]): boolean {
  return isRecord(value) && ['parent', ...entries].every((name) => name in value);
}

/** True for the row of a server itself, and not for one below it. */
export function isServerNode(value: unknown): value is TreeNode & { readonly server: Server } {
  return isNodeOf(value, 'server', 'isServer');
}

/**
 * Returns the rows that a command of a row's menu is for: the whole selection if the row that was clicked is part of
 * it, as the editor passes both.
 */
export function selectedNodes(clicked: unknown, selection: unknown): readonly unknown[] {
  return Array.isArray(selection) && selection.includes(clicked) ? selection : [clicked];
}

/** Returns the rows of servers among several selected ones; none if the row that was clicked is meant alone. */
export function selectedServers(
  clicked: unknown,
  selection: unknown,
): readonly (TreeNode & { readonly server: Server })[] {
  const nodes = selectedNodes(clicked, selection);
  return nodes.length > 1 ? nodes.filter(isServerNode) : [];
}

/**
 * Returns what a command of a server was run for, if that is its id or its own row. While rows of servers and others are
 * selected, the editor offers it on rows below others as well, whose server nobody named: the user is asked which one they mean.
 */
export function namedServer(target: unknown): unknown {
  return typeof target === 'string' || isServerNode(target) ? target : undefined;
}

/**
 * The entries of one list of a server (its prompts, its tools, …) as rows, contributed by a feature. The row above
 * them, with its title, count and failure, belongs to the tree, which also watches the list itself.
 */
export interface TreeSection {
  /** Returns one row for each of the first `limit` entries of the list, below `parent`, the section's own row. */
  nodes(server: Server, parent: TreeNode, limit?: number): readonly TreeNode[];
  /** True if the section divides its rows into pages itself, whatever the limit. */
  readonly hasOwnPages?: boolean;
  /** Fires with a row whose looks or children changed, or with a server for changes that the list does not report. */
  readonly onDidChange?: Event<TreeNode | Server>;
  /** Fires with a server some of whose rows the user asked to see, so that the row above them opens. */
  readonly onDidFind?: Event<Server>;
  /** Fires with true when the user begins to search for some of the rows, and with false when they have finished. */
  readonly onDidSearch?: Event<boolean>;
}
