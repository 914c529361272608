import * as vscode from 'vscode';
import { jsonText } from '../base/text/jsonText';
import type { Root } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import { manageWorkspaceTrustCommand } from '../ui/editorCommands';
import { treeRow } from '../ui/rows/treeRow';
import { isNodeOf, type TreeNode } from '../ui/tree';
import { isToldAny, type RootEntry } from './rootChoices';
import type { Roots } from './roots';
import { listText } from '../base/translate';

/** The row of a root, for commands run on it. */
export interface RootNode extends TreeNode {
  readonly root: RootEntry;
}

/** Returns the nodes of the resources inside a root. */
export type NodesInRoot = (root: Root, parent: TreeNode) => readonly TreeNode[];

/** True for rows of {@link createRootsNode} that stand for a root. */
export function isRootNode(value: unknown): value is RootNode {
  return isNodeOf(value, 'root');
}

/** Creates the top row of the tree: the folders that servers may work in. */
export function createRootsNode(roots: Roots, nodesInRoot: NodesInRoot): TreeNode {
  const node: TreeNode = {
    id: 'roots',
    parent: undefined,
    item: () =>
      treeRow({
        id: node.id,
        label: vscode.l10n.t('Workspace Roots'),
        description: String(roots.entries.length),
        tooltip: vscode.l10n.t('Folders that servers may work in'),
        icon: 'root-folder',
        below: 'expanded',
        contextValue: 'roots',
      }),
    children: () => [
      ...(roots.entries.length === 0 ? [nothing(node)] : []),
      ...roots.entries.map((root) => createRootNode(root, node, { roots, nodesInRoot })),
      // These come last because clicking a root adds or removes them, and the next click must hit the same root.
      ...roots.disappointed.map((server) => warning(server, node, roots)),
    ],
  };
  return node;
}

interface Sources {
  readonly roots: Roots;
  readonly nodesInRoot: NodesInRoot;
}

function createRootNode(root: RootEntry, parent: TreeNode, sources: Sources): RootNode {
  const { roots, nodesInRoot } = sources;
  const id = `root:${root.uri}`;
  const node: RootNode = {
    id,
    parent,
    root,
    ...(root.uri.startsWith('file:') && { folder: vscode.Uri.parse(root.uri) }),
    item() {
      const all = roots.serversFor(root);
      const told = all.filter((server) => roots.isTold(root, server));
      const isTold = isToldAny(
        roots.hidden,
        root,
        all.map(({ name }) => name),
      );
      const isWithheld = roots.isWithheld(root);
      return treeRow({
        id,
        kind: vscode.l10n.t('Root'),
        label: root.name,
        ...(isWithheld
          ? { description: vscode.l10n.t('Workspace not trusted') }
          : told.length < all.length && {
              description: vscode.l10n.t('{0} of {1} servers', told.length, all.length),
            }),
        tooltip: rootTooltip(
          isTold && !isWithheld,
          JSON.stringify({ uri: root.uri, name: root.name }),
        ),
        icon: root.uri.startsWith('file:') ? vscode.ThemeIcon.Folder : 'globe',
        checkbox: { isChecked: isTold, label: vscode.l10n.t('Share {0} with servers', root.name) },
        below: 'collapsed',
        contextValue: root.added ? 'root.added' : 'root.folder',
      });
    },
    setChecked: (checked) => roots.choose(root, '*', checked),
    children: () => [createAudienceNode(root, node, sources), ...nodesInRoot(root, node)],
  };
  return node;
}

function rootTooltip(isShared: boolean, root: string): string {
  return isShared
    ? vscode.l10n.t('Sent to servers: {0}', root)
    : vscode.l10n.t('Not shared with any server: {0}', root);
}

function createAudienceNode(root: RootEntry, parent: TreeNode, { roots }: Sources): TreeNode {
  const id = `${parent.id}/servers`;
  const node: TreeNode = {
    id,
    parent,
    item() {
      const told = roots.serversFor(root).filter((server) => roots.isTold(root, server));
      return treeRow({
        id,
        label: vscode.l10n.t('Shared with'),
        description:
          listText(
            told.map(({ name }) => name),
            vscode.l10n.t,
          ) || '–',
        icon: 'broadcast',
        below: 'collapsed',
        contextValue: 'rootServers',
      });
    },
    children: () =>
      roots.serversFor(root).map((server) => createRootServerNode(root, server, node, roots)),
  };
  return node;
}

function createRootServerNode(
  root: RootEntry,
  server: Server,
  parent: TreeNode,
  roots: Roots,
): TreeNode {
  const id = `${parent.id}/${server.id}`;
  return {
    id,
    parent,
    server,
    item() {
      const sent = jsonText({ roots: roots.rootsOf(server) }, 2);
      return treeRow({
        id,
        kind: vscode.l10n.t('Server'),
        label: server.name,
        tooltip: vscode.l10n.t('Sent to {0}: {1}', server.name, sent),
        checkbox: {
          isChecked: roots.isTold(root, server),
          label: vscode.l10n.t('Share {1} with {0}', server.name, root.name),
        },
        contextValue: 'rootServer',
      });
    },
    setChecked: (checked) => roots.choose(root, server.name, checked),
  };
}

function warning(server: Server, parent: TreeNode, roots: Roots): TreeNode {
  const id = `${parent.id}/none:${server.id}`;
  const { name } = server;
  const manage: vscode.Command = {
    title: vscode.l10n.t('Manage Workspace Trust'),
    command: manageWorkspaceTrustCommand,
  };
  return {
    id,
    parent,
    server,
    item() {
      const isWithheld = roots.entries.some((root) => roots.isWithheld(root));
      return treeRow({
        id,
        label: vscode.l10n.t('{0} requested roots, but none are shared with it', name),
        tooltip: isWithheld
          ? vscode.l10n.t(
              '"{0}" may have no folder to work in. No folder is shared until you trust the workspace: select to manage that.',
              name,
            )
          : vscode.l10n.t(
              '"{0}" may have no folder to work in. Share a root with it, add one, or open a folder.',
              name,
            ),
        ...(isWithheld && { command: manage }),
        icon: 'warning',
        iconColor: 'list.warningForeground',
        contextValue: 'noRoots',
      });
    },
  };
}

function nothing(parent: TreeNode): TreeNode {
  const id = `${parent.id}/nothing`;
  return {
    id,
    parent,
    item: () =>
      treeRow({
        id,
        label: vscode.l10n.t('No folder is open, so servers get no roots.'),
        icon: 'info',
        contextValue: 'noRoots',
      }),
  };
}
