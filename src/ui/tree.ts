import type { TreeItem } from 'vscode';
import type { Event } from '../base/event';
import type { Server } from '../mcp/server';

/** One row of the sidebar tree. */
export interface TreeNode {
  /** Unique in the tree and stable over refreshes, so that expansion and selection survive. */
  readonly id: string;
  readonly parent: TreeNode | undefined;
  /** The item to show; called on every refresh of the row, cheap. */
  item(): TreeItem;
  /** The rows below, if it can have any. */
  children?(): readonly TreeNode[] | Promise<readonly TreeNode[]>;
  /** The server the row belongs to, for commands run on the row. */
  readonly server?: Server;
}

/** A group of rows below each server (its prompts, its tools, …), contributed by a feature. */
export interface TreeSection {
  /** The rows for `server`, below `parent`; none when there is nothing to show. */
  rows(server: Server, parent: TreeNode): readonly TreeNode[];
  /** Fires with a row whose children or looks changed, or with a server whose rows did. */
  readonly onDidChange: Event<TreeNode | Server>;
}
