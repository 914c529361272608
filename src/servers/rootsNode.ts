import * as vscode from 'vscode';
import type { TreeNode } from '../ui/tree';
import { createMessageNode } from './messageNode';
import { toRoot } from './roots';

/** The top row of the tree: the folders that servers are told to work in. */
export function createRootsNode(): TreeNode {
  const node: TreeNode = {
    id: 'roots',
    parent: undefined,
    item() {
      const item = new vscode.TreeItem(
        vscode.l10n.t('Workspace Roots'),
        vscode.TreeItemCollapsibleState.Expanded,
      );
      item.id = 'roots';
      item.iconPath = new vscode.ThemeIcon('root-folder');
      item.description = String(vscode.workspace.workspaceFolders?.length ?? 0);
      item.tooltip = vscode.l10n.t('The folders that servers are told to work in.');
      item.contextValue = 'roots';
      return item;
    },
    children() {
      const folders = vscode.workspace.workspaceFolders ?? [];
      if (folders.length > 0) return folders.map((folder) => createRootNode(folder, node));
      const text = vscode.l10n.t('No folder is open, so servers are told of none.');
      return [createMessageNode(node, { icon: 'info', text })];
    },
  };
  return node;
}

function createRootNode(folder: vscode.WorkspaceFolder, parent: TreeNode): TreeNode {
  const id = `root:${folder.uri.toString()}`;
  return {
    id,
    parent,
    item() {
      const item = new vscode.TreeItem(folder.name);
      item.id = id;
      item.iconPath = vscode.ThemeIcon.Folder;
      item.tooltip = vscode.l10n.t('Sent to servers: {0}', toRoot(folder).uri);
      item.contextValue = 'root';
      return item;
    },
  };
}
