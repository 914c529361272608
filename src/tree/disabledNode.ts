import * as vscode from 'vscode';
import { isRecord } from '../base/json';
import type { DisabledServer, DisabledReason } from '../config/configuration';
import { administratorText } from '../config/switches/administrator';
import { Command } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import type { TreeNode } from '../ui/tree';

/** The row of a server that is configured but switched off. */
export interface DisabledNode extends TreeNode {
  readonly disabled: DisabledServer;
}

/** True for rows that {@link createDisabledNode} made. */
export function isDisabledNode(value: unknown): value is DisabledNode {
  return isRecord(value) && 'disabled' in value;
}

/** Makes a {@link DisabledNode}; clicking it opens the server's configuration. */
export function createDisabledNode(disabled: DisabledServer): DisabledNode {
  const { definition } = disabled.server;
  const id = `disabled:${definition.id}`;
  const why = whyText(disabled.why);
  const node: DisabledNode = {
    id,
    parent: undefined,
    disabled,
    item: () =>
      treeRow({
        id,
        kind: vscode.l10n.t('Server'),
        label: definition.name,
        description: `${why} · ${definition.source.label}`,
        tooltip: `${definition.name}\n\n${why}\n${definition.source.label}`,
        icon: 'circle-slash',
        iconColor: 'disabledForeground',
        contextValue: isUsers(disabled.why) ? 'disabledServer.user' : 'disabledServer',
        command: {
          command: Command.openConfiguration,
          title: vscode.l10n.t('Open Configuration'),
          arguments: [node],
        },
      }),
  };
  return node;
}

/** Says in words why a server is off. */
export function whyText(why: DisabledReason): string {
  if (typeof why === 'object') return administratorText(why.rule);
  switch (why) {
    case 'entry':
      return vscode.l10n.t('Disabled in its configuration');
    case 'here':
      return vscode.l10n.t('Disabled in this workspace');
    case 'everywhere':
      return vscode.l10n.t('Disabled');
  }
}

/** True if the user switched the server off and can switch it back on. */
export function isUsers(why: DisabledReason): boolean {
  return why === 'here' || why === 'everywhere';
}
