import * as vscode from 'vscode';
import { isRecord } from '../base/json';
import { plainLabel, tooltipText, truncate } from '../base/text/text';
import { displayName, type Tool } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import { entryIcon } from '../ui/entryIcon';
import { toolNote } from '../ui/toolNote';
import type { TreeNode, TreeSection } from '../ui/tree';

const longestDescription = 5000;

/** A row of the tree that stands for a tool. */
export interface ToolNode extends TreeNode {
  readonly server: Server;
  readonly tool: Tool;
}

/** True for rows that this section made for a tool. */
export function isToolNode(value: unknown): value is ToolNode {
  return isRecord(value) && 'tool' in value && 'parent' in value;
}

/** One row for each tool of a server. */
export const toolSection: TreeSection = {
  rows: (server, parent, limit) =>
    server.tools.items.slice(0, limit).map((tool) => row(server, tool, parent)),
};

function row(server: Server, tool: Tool, parent: TreeNode): ToolNode {
  return {
    id: `${parent.id}/${tool.name}`,
    parent,
    server,
    tool,
    item() {
      const item = new vscode.TreeItem(plainLabel(displayName(tool)));
      item.description = plainLabel(tool.description ?? '');
      const lines = [
        tool.name,
        toolNote(tool),
        truncate(tool.description ?? '', longestDescription),
      ];
      item.tooltip = tooltipText(lines.filter(Boolean).join('\n\n'));
      item.iconPath = entryIcon(tool, new vscode.ThemeIcon('symbol-method'));
      item.contextValue = 'tool';
      return item;
    },
  };
}
