import * as vscode from 'vscode';
import type { Server } from '../mcp/server';
import { remoteMenuCommand } from '../ui/editorCommands';
import { elsewhereScheme } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import type { TreeNode } from '../ui/tree';
import { createMessageNode } from './messageNode';

/** Makes the row of a server that runs as a process, which this window cannot start. */
export function createElsewhereNode(server: Server): TreeNode {
  const id = `server:${server.id}`;
  const reason = vscode.l10n.t('It runs as a process, and this window cannot start any.');
  const node: TreeNode = {
    id,
    parent: undefined,
    server,
    item: () =>
      treeRow({
        id,
        kind: vscode.l10n.t('Server'),
        label: server.name,
        description: `${vscode.l10n.t('Needs a process')} · ${server.definition.source.label}`,
        tooltip: [server.name, reason, server.definition.source.label].join('\n'),
        icon: 'circle-slash',
        iconColor: disabled,
        below: 'expanded',
        contextValue: 'server.elsewhere',
        resourceUri: vscode.Uri.from({ scheme: elsewhereScheme, path: `/${server.id}` }),
      }),
    children: () => [
      createMessageNode(node, {
        icon: 'remote',
        text: vscode.l10n.t('Open in a Desktop or Remote Window'),
        detail: reason,
        command: { command: remoteMenuCommand, title: reason },
      }),
    ],
  };
  return node;
}

const disabled = 'disabledForeground';

/** Grays out the names of servers that this window cannot start. */
export function greyElsewhere(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme }) =>
      scheme === elsewhereScheme ? { color: new vscode.ThemeColor(disabled) } : undefined,
  });
}
