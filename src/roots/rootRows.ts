import * as vscode from 'vscode';
import { isRecord } from '../base/json';
import { jsonText } from '../base/text/jsonText';
import { plainLabel, tooltipText } from '../base/text/text';
import type { Root } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import type { TreeNode } from '../ui/tree';
import { isToldAny, type RootEntry } from './rootChoices';
import type { Roots } from './roots';

/** The row of a root, for commands run on it. */
export interface RootNode extends TreeNode {
  readonly root: RootEntry;
}

/** Gives the rows of the resources that lie inside a root. */
export type RowsInRoot = (root: Root, parent: TreeNode) => readonly TreeNode[];

/** True for rows of {@link createRootsNode} that stand for a root. */
export function isRootNode(value: unknown): value is RootNode {
  return isRecord(value) && 'root' in value && 'parent' in value;
}

/** The top row of the tree: the places that servers are told to work in. */
export function createRootsNode(roots: Roots, rowsInRoot: RowsInRoot): TreeNode {
  const node: TreeNode = {
    id: 'roots',
    parent: undefined,
    item() {
      const item = new vscode.TreeItem(
        vscode.l10n.t('Workspace Roots'),
        vscode.TreeItemCollapsibleState.Expanded,
      );
      item.id = node.id;
      item.iconPath = new vscode.ThemeIcon('root-folder');
      item.description = String(roots.entries.length);
      item.tooltip = vscode.l10n.t('The places that servers are told to work in');
      item.contextValue = 'roots';
      return item;
    },
    children: () => [
      ...roots.disappointed.map((server) => warning(server, node)),
      ...(roots.entries.length === 0 ? [nothing(node)] : []),
      ...roots.entries.map((root) => rootRow(root, node, { roots, rowsInRoot })),
    ],
  };
  return node;
}

interface Sources {
  readonly roots: Roots;
  readonly rowsInRoot: RowsInRoot;
}

function rootRow(root: RootEntry, parent: TreeNode, sources: Sources): RootNode {
  const { roots, rowsInRoot } = sources;
  const id = `root:${root.uri}`;
  const node: RootNode = {
    id,
    parent,
    root,
    ...(root.uri.startsWith('file:') && { folder: vscode.Uri.parse(root.uri) }),
    item() {
      const item = new vscode.TreeItem(
        plainLabel(root.name),
        vscode.TreeItemCollapsibleState.Collapsed,
      );
      const all = roots.serversFor(root);
      const told = all.filter((server) => roots.isTold(root, server));
      const any = isToldAny(
        roots.hidden,
        root,
        all.map(({ name }) => name),
      );
      item.id = id;
      item.iconPath = root.uri.startsWith('file:')
        ? vscode.ThemeIcon.Folder
        : new vscode.ThemeIcon('globe');
      item.checkboxState = checkbox(any, vscode.l10n.t('Tell servers of {0}', root.name));
      item.description =
        told.length === all.length
          ? ''
          : vscode.l10n.t('{0} of {1} servers', told.length, all.length);
      item.tooltip = tooltipText(
        vscode.l10n.t('Sent to servers: {0}', JSON.stringify({ uri: root.uri, name: root.name })),
      );
      item.contextValue = root.added ? 'root.added' : 'root.folder';
      return item;
    },
    setChecked: (checked) => roots.choose(root, '*', checked),
    children: () => [audienceRow(root, node, sources), ...rowsInRoot(root, node)],
  };
  return node;
}

function audienceRow(root: RootEntry, parent: TreeNode, { roots }: Sources): TreeNode {
  const id = `${parent.id}/servers`;
  const node: TreeNode = {
    id,
    parent,
    item() {
      const item = new vscode.TreeItem(
        vscode.l10n.t('Told to'),
        vscode.TreeItemCollapsibleState.Collapsed,
      );
      const told = roots.serversFor(root).filter((server) => roots.isTold(root, server));
      item.id = id;
      item.iconPath = new vscode.ThemeIcon('broadcast');
      item.description = plainLabel(told.map(({ name }) => name).join(', ')) || '–';
      item.contextValue = 'rootServers';
      return item;
    },
    children: () => roots.serversFor(root).map((server) => serverRow(root, server, node, roots)),
  };
  return node;
}

function serverRow(root: RootEntry, server: Server, parent: TreeNode, roots: Roots): TreeNode {
  const id = `${parent.id}/${server.id}`;
  return {
    id,
    parent,
    server,
    item() {
      const item = new vscode.TreeItem(plainLabel(server.name));
      item.id = id;
      item.checkboxState = checkbox(
        roots.isTold(root, server),
        vscode.l10n.t('Tell {0} of {1}', server.name, root.name),
      );
      const sent = jsonText({ roots: roots.rootsOf(server) }, 2);
      item.tooltip = tooltipText(vscode.l10n.t('Sent to {0}: {1}', server.name, sent));
      item.contextValue = 'rootServer';
      return item;
    },
    setChecked: (checked) => roots.choose(root, server.name, checked),
  };
}

function warning(server: Server, parent: TreeNode): TreeNode {
  const id = `${parent.id}/none:${server.id}`;
  return {
    id,
    parent,
    server,
    item() {
      const name = plainLabel(server.name);
      const item = new vscode.TreeItem(vscode.l10n.t('{0} asks for roots and gets none', name));
      item.id = id;
      item.iconPath = new vscode.ThemeIcon(
        'warning',
        new vscode.ThemeColor('list.warningForeground'),
      );
      item.tooltip = vscode.l10n.t(
        '{0} may have nothing to work on. Check a root for it, add one, or open a folder.',
        name,
      );
      item.contextValue = 'note';
      return item;
    },
  };
}

function nothing(parent: TreeNode): TreeNode {
  const id = `${parent.id}/nothing`;
  return {
    id,
    parent,
    item() {
      const item = new vscode.TreeItem(
        vscode.l10n.t('No folder is open, so servers are told of none.'),
      );
      item.id = id;
      item.iconPath = new vscode.ThemeIcon('info');
      item.contextValue = 'note';
      return item;
    },
  };
}

function checkbox(checked: boolean, tooltip: string): vscode.TreeItem['checkboxState'] & object {
  const { Checked, Unchecked } = vscode.TreeItemCheckboxState;
  return { state: checked ? Checked : Unchecked, tooltip };
}
