import * as vscode from 'vscode';
import { truncate } from '../base/text/text';
import { displayName, wholeNames, type Tool } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import { Command } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import { toolIcon, toolNote } from '../ui/toolNote';
import { isRowOf, type TreeNode, type TreeSection } from '../ui/tree';

const longestDescription = 5000;

/** A row of the tree that stands for a tool. */
export interface ToolNode extends TreeNode {
  readonly server: Server;
  readonly tool: Tool;
}

/** True for rows that this section made for a tool. */
export function isToolNode(value: unknown): value is ToolNode {
  return isRowOf(value, 'tool');
}

/** One row for each tool of a server. */
export const toolSection: TreeSection = {
  rows: (server, parent, limit) =>
    server.tools.items.slice(0, limit).map((tool) => row(server, tool, parent)),
};

function row(server: Server, tool: Tool, parent: TreeNode): ToolNode {
  const node: ToolNode = {
    id: `${parent.id}/${tool.name}`,
    parent,
    server,
    tool,
    item() {
      const { description = '' } = tool;
      const lines = [
        ...wholeNames(tool),
        toolNote(tool),
        truncate(description, longestDescription),
      ];
      return treeRow({
        id: node.id,
        kind: vscode.l10n.t('Tool'),
        label: displayName(tool),
        description,
        tooltip: lines.filter(Boolean).join('\n\n'),
        icon: toolIcon(tool),
        contextValue: 'tool',
        command: {
          command: Command.runTool,
          title: vscode.l10n.t('Run MCP Tool…'),
          arguments: [node],
        },
      });
    },
  };
  return node;
}
