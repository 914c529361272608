import type * as vscode from 'vscode';
import type { Server } from '../mcp/server';
import { treeRow } from '../ui/rows/treeRow';
import type { TreeNode } from '../ui/tree';

/** The content of a row that stands in for something missing. */
export interface RowMessage {
  readonly text: string;
  readonly detail?: string;
  readonly icon:
    | 'debug-restart'
    | 'edit'
    | 'ellipsis'
    | 'error'
    | 'go-to-file'
    | 'info'
    | 'key'
    | 'output'
    | 'play'
    | 'pulse'
    | 'question'
    | 'remote'
    | 'shield'
    | 'warning';
  readonly command?: vscode.Command;
}

/** Makes a row that explains why rows are missing, or says what to do next. */
export function createMessageNode(
  parent: TreeNode,
  { text, detail, icon, command }: RowMessage,
  server?: Server,
): TreeNode {
  const id = `${parent.id}/message:${icon}`;
  return {
    id,
    parent,
    ...(server && { server }),
    item: () =>
      treeRow({
        id,
        label: text,
        icon,
        iconColor: iconColor(icon),
        tooltip: detail ? `${text}\n\n${detail}` : text,
        command,
      }),
  };
}

function iconColor(icon: RowMessage['icon']): string | undefined {
  if (icon === 'error') return 'list.errorForeground';
  if (icon === 'warning' || icon === 'key') return 'list.warningForeground';
  return undefined;
}
