import * as vscode from 'vscode';
import type { Server } from '../mcp/server';
import { manageWorkspaceTrustCommand } from '../ui/editorCommands';
import { Command } from '../ui/ids';
import { sayLine, sayLink } from '../ui/rows/chatText';
import { namesOf } from '../ui/rows/labels';
import type { UnreadyServers } from './chatStarts';

/**
 * Says in the chat which servers an answer does without, and returns at most one button that changes that: it also asks
 * `again` where servers may have started then. What an earlier answer said is one line with a link.
 */
export function reportNotReady(
  stream: vscode.ChatResponseStream,
  notReady: UnreadyServers,
  again: () => vscode.Command,
): vscode.Command | undefined {
  const open = [...notReady.untrusted, ...notReady.needValue];
  if (!notReady.isNews) {
    const names = namesOf(kinds.flatMap((kind) => notReady[kind]));
    if (names === '') return undefined;
    const text = vscode.l10n.t('Without the tools of: {0}', names);
    if (open.length === 0) sayLine(stream, text);
    else sayLink(stream, text, Command.reviewServers, idsOf(open));
    return undefined;
  }
  for (const kind of kinds)
    if (notReady[kind].length > 0) sayLine(stream, lineOf(kind, namesOf(notReady[kind])));
  if (open.length > 0) return reviewButton(open, again());
  if (notReady.restricted.length > 0) return trustButton();
  return notReady.starting.length > 0 ? again() : undefined;
}

function idsOf(servers: readonly Server[]): readonly string[] {
  return servers.map(({ id }) => id);
}

const kinds = ['starting', 'untrusted', 'needValue', 'restricted', 'needsProcess'] as const;

function lineOf(kind: (typeof kinds)[number], names: string): string {
  const { t } = vscode.l10n;
  switch (kind) {
    case 'starting':
      return t('Still starting, so this answer has no tools from: {0}', names);
    case 'untrusted':
      return t('Not trusted yet, so this answer has no tools from: {0}', names);
    case 'needValue':
      return t('Waiting for a value, so this answer has no tools from: {0}', names);
    case 'restricted':
      return t('This workspace is not trusted, so this answer has no tools from: {0}', names);
    case 'needsProcess':
      return t('This window cannot start processes, so answers have no tools from: {0}', names);
  }
}

function trustButton(): vscode.Command {
  return { command: manageWorkspaceTrustCommand, title: vscode.l10n.t('Manage Workspace Trust') };
}

function reviewButton(servers: readonly Server[], again: vscode.Command): vscode.Command {
  const { t } = vscode.l10n;
  const count = servers.length;
  return {
    command: Command.reviewServers,
    title:
      count === 1
        ? t('Review 1 Server and Ask Again…')
        : t('Review {0} Servers and Ask Again…', count),
    arguments: [idsOf(servers), ...((again.arguments ?? []) as readonly unknown[])],
  };
}
