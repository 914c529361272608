import * as vscode from 'vscode';
import { isRecord } from '../base/json';
import type { ConfigProblem } from '../config/mergeLayers';
import { Command } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import type { TreeNode } from '../ui/tree';

/** The row of a server, or of a whole file, whose configuration cannot be used. */
export interface ProblemNode extends TreeNode {
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
        tooltip: `${problem.message}\n\n${problem.reading.label}`,
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
