import * as vscode from 'vscode';
import type { Event } from '../base/event';
import { isRecord } from '../base/json';
import { plainLabel, tooltipText } from '../base/text/text';
import { displayName } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import { entryIcon } from '../ui/entryIcon';
import { Command } from '../ui/ids';
import type { TreeNode, TreeSection } from '../ui/tree';
import { promptEntries, type PromptEntry } from './promptEntry';

/** A row of the tree that stands for a prompt. */
export interface PromptNode extends TreeNode, PromptEntry {
  readonly server: Server;
}

/** True for rows that this section made for a prompt. */
export function isPromptNode(value: unknown): value is PromptNode {
  return isRecord(value) && 'prompt' in value && 'parent' in value;
}

/** One row for each prompt of a server; `kindOf` ends the context value that menus look at. */
export function createPromptSection(
  kindOf: (entry: PromptEntry) => string,
  onDidChange: Event<TreeNode | Server>,
): TreeSection {
  return {
    onDidChange,
    rows: (server, parent, limit) =>
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
    item() {
      const item = new vscode.TreeItem(plainLabel(displayName(prompt)));
      item.description = plainLabel(prompt.description ?? '');
      item.tooltip = tooltip(prompt);
      item.iconPath = entryIcon(prompt, new vscode.ThemeIcon('comment'));
      item.contextValue = `prompt.${kind()}`;
      item.command = {
        command: Command.runPrompt,
        title: vscode.l10n.t('Run Prompt'),
        arguments: [node],
      };
      return item;
    },
  };
  return node;
}

function tooltip({ name, description, arguments: args = [] }: PromptEntry['prompt']): string {
  const lines = args.map((argument) => {
    const need = argument.required ? vscode.l10n.t('required') : vscode.l10n.t('optional');
    return `• ${argument.name} (${need})${argument.description ? `: ${argument.description}` : ''}`;
  });
  return tooltipText([name, description, lines.join('\n')].filter(Boolean).join('\n\n'));
}
