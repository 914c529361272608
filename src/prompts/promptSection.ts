import * as vscode from 'vscode';
import type { Event } from '../base/event';
import { wholeNames, displayName } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import { entryIcon } from '../ui/entryIcon';
import { Command } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import { isNodeOf, type TreeNode, type TreeSection } from '../ui/tree';
import { promptEntries, type PromptEntry } from './promptEntry';
import { asideText, pairText } from '../base/translate';

/** A row of the tree that stands for a prompt. */
export interface PromptNode extends TreeNode, PromptEntry {
  readonly server: Server;
}

/** True for rows that this section made for a prompt. */
export function isPromptNode(value: unknown): value is PromptNode {
  return isNodeOf(value, 'prompt');
}

/** Makes the section with a row for each prompt of a server; `kindOf` returns the end of the context value that menus check. */
export function createPromptSection(
  kindOf: (entry: PromptEntry) => string,
  onDidChange: Event<TreeNode | Server>,
): TreeSection {
  return {
    onDidChange,
    nodes: (server, parent, limit) =>
      promptEntries([server])
        .slice(0, limit)
        .map((entry) => row(entry, parent, () => kindOf(entry))),
  };
}

function row({ server, prompt }: PromptEntry, parent: TreeNode, kind: () => string): PromptNode {
  const node: PromptNode = {
    id: `${parent.id}/${prompt.name}`,
    parent,
    server,
    prompt,
    item: () =>
      treeRow({
        id: node.id,
        kind: vscode.l10n.t('Prompt'),
        label: displayName(prompt),
        description: prompt.description,
        tooltip: tooltip(prompt),
        icon: entryIcon(prompt, new vscode.ThemeIcon('comment')),
        contextValue: `prompt.${kind()}`,
        command: {
          command: Command.runPrompt,
          title: vscode.l10n.t('Run MCP Prompt'),
          arguments: [node],
        },
      }),
  };
  return node;
}

function tooltip(prompt: PromptEntry['prompt']): string {
  const { description, arguments: args = [] } = prompt;
  const lines = args.map((argument) => {
    const need = argument.required ? vscode.l10n.t('required') : vscode.l10n.t('optional');
    const name = `• ${asideText(argument.name, need, vscode.l10n.t)}`;
    return argument.description ? pairText(name, argument.description, vscode.l10n.t) : name;
  });
  return [...wholeNames(prompt), description, lines.join('\n')].filter(Boolean).join('\n\n');
}
