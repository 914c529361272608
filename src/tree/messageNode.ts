import * as vscode from 'vscode';
import { plainLabel, tooltipText } from '../base/text/text';
import type { Server } from '../mcp/server';
import type { TreeNode } from '../ui/tree';

/** What a row says that stands in for something missing. */
export interface Message {
  readonly text: string;
  readonly detail?: string;
  readonly icon:
    'ellipsis' | 'error' | 'go-to-file' | 'info' | 'key' | 'output' | 'play' | 'pulse' | 'warning';
  readonly command?: vscode.Command;
}

/** A row that gives the reason why there is nothing else, or not all. */
export function createMessageNode(
  parent: TreeNode,
  { text, detail, icon, command }: Message,
  server?: Server,
): TreeNode {
  const id = `${parent.id}/message:${icon}`;
  return {
    id,
    parent,
    ...(server && { server }),
    item() {
      const item = new vscode.TreeItem(plainLabel(text));
      item.id = id;
      item.iconPath = new vscode.ThemeIcon(icon, iconColor(icon));
      item.tooltip = tooltipText(detail ? `${text}\n\n${detail}` : text);
      if (command) item.command = command;
      return item;
    },
  };
}

function iconColor(icon: Message['icon']): vscode.ThemeColor | undefined {
  if (icon === 'error') return new vscode.ThemeColor('list.errorForeground');
  if (icon === 'warning' || icon === 'key') return new vscode.ThemeColor('list.warningForeground');
  return undefined;
}
