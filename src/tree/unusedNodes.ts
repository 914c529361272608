import * as vscode from 'vscode';
import { isRecord } from '../base/json';
import type { DisabledServer } from '../config/configuration';
import { Command } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import type { TreeNode } from '../ui/tree';
import { isUsers, shownState } from './shownState';
import type { ConfigProblem, DuplicateServer } from '../config/mergeLayers';

/** The row of a server, or of a whole file, whose configuration cannot be used. */
interface ProblemNode extends TreeNode {
  readonly problem: ConfigProblem;
}

/** True for rows that {@link createProblemNode} made. */
export function isProblemNode(value: unknown): value is ProblemNode {
  return isRecord(value) && 'problem' in value;
}

/** Makes a {@link ProblemNode}; clicking it opens that configuration. */
export function createProblemNode(problem: ConfigProblem): ProblemNode {
  const id = `problem:${problem.id}`;
  const node: ProblemNode = {
    id,
    parent: undefined,
    problem,
    item: () =>
      treeRow({
        id,
        kind: vscode.l10n.t('Configuration Problem'),
        label: problem.name,
        description: problem.message,
        tooltip: `${problem.message}\n\n${problem.layer.label}`,
        icon: 'error',
        iconColor: 'list.errorForeground',
        contextValue: problem.entryName === undefined ? 'problem' : 'problem.server',
        command: {
          command: Command.openConfiguration,
          title: vscode.l10n.t('Open Configuration'),
          arguments: [node],
        },
      }),
  };
  return node;
}

/** The row of a configured server that launches the same thing as another one. */
interface DuplicateNode extends TreeNode {
  readonly duplicate: DuplicateServer;
}

/** True for rows that {@link createDuplicateNode} made. */
export function isDuplicateNode(value: unknown): value is DuplicateNode {
  return isRecord(value) && 'duplicate' in value;
}

/** Makes a {@link DuplicateNode}; clicking it opens its configuration. */
export function createDuplicateNode(duplicate: DuplicateServer): DuplicateNode {
  const { definition, layer } = duplicate.server;
  const id = `duplicate:${definition.id}`;
  const why = sameText(duplicate);
  const node: DuplicateNode = {
    id,
    parent: undefined,
    duplicate,
    item: () =>
      treeRow({
        id,
        kind: vscode.l10n.t('Server'),
        label: definition.name,
        description: `${why} · ${layer.label}`,
        tooltip: [
          definition.name,
          '',
          vscode.l10n.t(
            '"{0}" is launched in exactly the same way and is used in its place.',
            duplicate.as.name,
          ),
          layer.label,
        ].join('\n'),
        icon: 'link',
        iconColor: 'disabledForeground',
        contextValue: 'duplicate',
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
        state: why,
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
