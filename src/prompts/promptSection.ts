import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { Emitter } from '../base/event';
import { plainLabel, revealHidden } from '../base/text';
import { displayName } from '../mcp/protocol';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import { Command } from '../ui/ids';
import type { TreeNode, TreeSection } from '../ui/tree';
import { promptEntries, type PromptEntry } from './promptEntry';
import { watchPrompts } from './watchPrompts';

/** A row of the tree that stands for a prompt. */
export interface PromptNode extends TreeNode, PromptEntry {
  readonly server: Server;
}

/** True for rows that this section made for a prompt. */
export function isPromptNode(value: unknown): value is PromptNode {
  return typeof value === 'object' && value !== null && 'prompt' in value && 'parent' in value;
}

/** The group *Prompts* below each server. */
export function createPromptSection(servers: Servers): TreeSection & Disposable {
  const store = new DisposableStore();
  const changed = store.add(new Emitter<TreeNode | Server>());
  store.add(watchPrompts(servers, (server) => changed.fire(server)));
  return {
    onDidChange: changed.event,
    rows: (server, parent) => (server.prompts.items.length > 0 ? [group(server, parent)] : []),
    dispose: () => store.dispose(),
  };
}

function group(server: Server, parent: TreeNode): TreeNode {
  const node: TreeNode = {
    id: `${parent.id}/prompts`,
    parent,
    server,
    item() {
      const item = new vscode.TreeItem(
        vscode.l10n.t('Prompts'),
        vscode.TreeItemCollapsibleState.Collapsed,
      );
      item.description = String(server.prompts.items.length);
      item.iconPath = new vscode.ThemeIcon('comment-discussion');
      item.contextValue = 'prompts';
      return item;
    },
    children: () => promptEntries([server]).map((entry) => row(entry, node)),
  };
  return node;
}

function row({ server, prompt }: PromptEntry, parent: TreeNode): PromptNode {
  const node: PromptNode = {
    id: `${parent.id}/${prompt.name}`,
    parent,
    server,
    prompt,
    item() {
      const item = new vscode.TreeItem(plainLabel(displayName(prompt)));
      item.description = plainLabel(prompt.description ?? '');
      item.tooltip = tooltip(prompt);
      item.iconPath = new vscode.ThemeIcon('comment');
      item.contextValue = 'prompt';
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
  return revealHidden([name, description, lines.join('\n')].filter(Boolean).join('\n\n'));
}
