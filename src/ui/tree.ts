import type { TreeItem, Uri } from 'vscode';
import type { Event } from '../base/event';
import { isRecord } from '../base/json';
import type { Server } from '../mcp/server';

/** How many rows of a long list are shown at once. */
export const rowsPerPage = 500;

/** One row of the sidebar tree. */
export interface TreeNode {
  /** Unique in the tree and stable over refreshes, so that expansion and selection survive. */
  readonly id: string;
  readonly parent: TreeNode | undefined;
  /** The item to show; called on every refresh of the row, cheap. */
  item(): TreeItem;
  /** The rows below, if it can have any. */
  children?(): readonly TreeNode[] | Promise<readonly TreeNode[]>;
  /** Takes a click on the check box, where the item has one. */
  setChecked?(checked: boolean): Promise<void>;
  /** Makes room for the next page of the rows below, where they come in pages. */
  showMore?(): void;
  /** The server the row belongs to, for commands run on the row. */
  readonly server?: Server;
  /** The folder that resources dropped on the row are saved to. */
  readonly folder?: Uri;
}

/** True for a row of the tree that has what it stands for under these names. */
export function isRowOf(value: unknown, ...entries: readonly string[]): boolean {
  return isRecord(value) && ['parent', ...entries].every((name) => name in value);
}

/**
 * The entries of one list of a server (its prompts, its tools, …) as rows, contributed by a feature.
 * The row above them, with its title, count and failure, is the tree's own, and the tree watches the
 * list itself.
 */
export interface TreeSection {
  /** One row for each of the first `limit` entries of the list, below `parent`, which is the section's own row. */
  rows(server: Server, parent: TreeNode, limit?: number): readonly TreeNode[];
  /** True where the rows come in pages of the section's own, whatever the limit. */
  readonly hasOwnPages?: boolean;
  /** Fires with a row whose looks or children changed, or with a server, for what the list does not tell. */
  readonly onDidChange?: Event<TreeNode | Server>;
  /** Fires with a server some of whose rows the user asked to see, so that the row above them opens. */
  readonly onDidFind?: Event<Server>;
  /** Fires with true where the user begins to look for some of the rows, and with false once they have ended. */
  readonly onDidSearch?: Event<boolean>;
}
