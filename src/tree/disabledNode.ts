import * as vscode from 'vscode';
import { isRecord } from '../base/json';
import type { DisabledServer } from '../config/configuration';
import { Command } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import type { TreeNode } from '../ui/tree';
import { isUsers, shownState } from './shownState';

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
  const { label: why, text: _, ...sign } = shownState(disabled.why);
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
        ...sign,
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
