import * as vscode from 'vscode';
import { truncate } from '../base/text/text';
import { claimsOf } from '../gate/ask/questionItems';
import { displayName, wholeNames, type Tool } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import { Command } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import { toolIcon, toolNote } from '../ui/entryIcon';
import { isNodeOf, type TreeNode, type TreeSection } from '../ui/tree';
import { asRecord } from '../base/json';
import { readFields, type Field, type FieldKind } from '../ui/steps/schemaFields';
import { asideText, listText, pairText } from '../base/translate';

const longestDescription = 5000;
/** At most this many parameters are in the hover of a row, and so much of the description of each. */
export const maxHoverParameters = 20;
const longestParameter = 200;

/** Returns a line for each parameter of a tool: its name, what it is, and what it is for. */
function parameterLines({ inputSchema }: Tool): readonly string[] {
  const { t } = vscode.l10n;
  const properties = Object.entries(asRecord(inputSchema['properties']));
  // The hover is made with the row: only what it shows is looked at.
  const shown = Object.fromEntries(properties.slice(0, maxHoverParameters));
  const fields = readFields({ ...inputSchema, properties: shown }, inputSchema);
  const lines = fields.map((field) => {
    const { name, required, description = '' } = field;
    const what = listText([kindName(field), ...(required ? [t('required')] : [])], t);
    const shownName = asideText(name, what, t);
    const about = truncate(description, longestParameter);
    return (about === '' ? shownName : pairText(shownName, about, t)).replaceAll(/\s+/g, ' ');
  });
  const more = properties.length - lines.length;
  return more > 0 ? [...lines, t('{0} more', more)] : lines;
}

function kindName({ kind, schema }: Field): string {
  const { t } = vscode.l10n;
  const names: Readonly<Record<FieldKind['kind'], string>> = {
    text: t('text'),
    number: t('number'),
    choice: schema['type'] === 'boolean' ? t('yes or no') : t('choice'),
    choices: t('choices'),
    list: t('list'),
    json: schema['type'] === 'array' ? t('list') : t('object'),
  };
  return names[kind.kind];
}

/** A row of the tree that stands for a tool. */
export interface ToolNode extends TreeNode {
  readonly server: Server;
  readonly tool: Tool;
}

/** True for rows that this section made for a tool. */
export function isToolNode(value: unknown): value is ToolNode {
  return isNodeOf(value, 'tool');
}

/** One row for each tool of a server. */
export const toolSection: TreeSection = {
  nodes: (server, parent, limit) =>
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
        claimsOf(tool.annotations),
        parameterLines(tool).join('\n'),
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
