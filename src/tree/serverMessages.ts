import * as vscode from 'vscode';
import { inputsIn } from '../config/add/importedServer';
import type { Server } from '../mcp/server';
import { manageWorkspaceTrustCommand } from '../ui/editorCommands';
import { Command } from '../ui/ids';
import type { RowMessage } from './messageNode';
import { hasSections } from './sectionNode';
import type { StartHolds } from './shownState';

/** Returns the messages below a server: its problems, what to do next, or that it offers nothing. */
export function messagesOf(server: Server, { asked, restricted }: StartHolds): RowMessage[] {
  const { state, id, definition } = server;
  const action = (icon: RowMessage['icon'], text: string, command: string): RowMessage => ({
    icon,
    text,
    command: { command, title: text, arguments: [id] },
  });
  const isEmpty = !hasSections(server);
  switch (state.kind) {
    case 'running':
      return [
        ...problemMessages(state.problems ?? []),
        ...(isEmpty
          ? [
              {
                icon: 'info',
                text: vscode.l10n.t('Offers no resources, prompts or tools'),
              } as const,
            ]
          : []),
      ];
    case 'reconnecting':
      return [
        { icon: 'warning', text: state.message },
        action('debug-restart', vscode.l10n.t('Restart Server'), Command.restartServer),
        action('output', vscode.l10n.t('Show Log'), Command.showServerLog),
      ];
    case 'stopped':
      if (restricted.has(id))
        return [
          action('shield', vscode.l10n.t('Manage Workspace Trust'), manageWorkspaceTrustCommand),
        ];
      return isEmpty ? [action('play', vscode.l10n.t('Start Server'), Command.startServer)] : [];
    case 'starting':
      return asked.has(id)
        ? [action('question', vscode.l10n.t('Show Question'), Command.showQuestions)]
        : [];
    case 'failed':
      return [
        action('pulse', vscode.l10n.t('Diagnose Start and Connection'), Command.diagnoseServer),
        action('output', vscode.l10n.t('Show Log'), Command.showServerLog),
        action('go-to-file', vscode.l10n.t('Open Configuration'), Command.openConfiguration),
        ...(inputsIn(definition.config).length > 0
          ? [action('edit', vscode.l10n.t('Change Inputs…'), Command.changeInputs)]
          : []),
      ];
    case 'needsSignIn': {
      const text = state.issuer
        ? vscode.l10n.t('Sign In at {0}', state.issuer)
        : vscode.l10n.t('Sign In');
      return [action('key', text, Command.signIn)];
    }
  }
}

function problemMessages(problems: readonly string[]): RowMessage[] {
  const [first] = problems;
  if (first === undefined) return [];
  const text =
    problems.length === 1
      ? first
      : vscode.l10n.t('{0} problems with what the server sends', problems.length);
  return [{ icon: 'warning', text, detail: problems.join('\n') }];
}
