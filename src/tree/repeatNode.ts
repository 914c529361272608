import * as vscode from 'vscode';
import { isRecord } from '../base/json';
import type { DuplicateServer } from '../config/mergeLayers';
import { Command } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import type { TreeNode } from '../ui/tree';

/** The row of a configured server that launches the same thing as another one. */
export interface RepeatNode extends TreeNode {
  readonly repeat: DuplicateServer;
}

/** True for rows that {@link createRepeatNode} made. */
export function isRepeatNode(value: unknown): value is RepeatNode {
  return isRecord(value) && 'repeat' in value;
}

/** Makes a {@link RepeatNode}; clicking it opens its configuration. */
export function createRepeatNode(repeat: DuplicateServer): RepeatNode {
  const { definition, reading } = repeat.server;
  const id = `repeat:${definition.id}`;
  const why = sameText(repeat);
  const node: RepeatNode = {
    id,
    parent: undefined,
    repeat,
    item: () =>
      treeRow({
        id,
        kind: vscode.l10n.t('Server'),
        label: definition.name,
        description: `${why} · ${reading.label}`,
        tooltip: [
          definition.name,
          '',
          vscode.l10n.t(
            '"{0}" is launched in exactly the same way and is used in its place.',
            repeat.as.name,
          ),
          reading.label,
        ].join('\n'),
        icon: 'link',
        iconColor: 'disabledForeground',
        contextValue: 'repeat',
        command: {
          command: Command.openConfiguration,
          title: vscode.l10n.t('Open Configuration'),
          arguments: [node],
        },
      }),
  };
  return node;
}

/** Says which server is used in place of this one. */
export function sameText({ as }: DuplicateServer): string {
  return vscode.l10n.t('Same as {0}', as.name);
}
