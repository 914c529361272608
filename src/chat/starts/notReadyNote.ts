import * as vscode from 'vscode';
import type { Server } from '../../mcp/server';
import { Command } from '../../ui/ids';
import { sayLine } from '../../ui/rows/chatText';
import { namesOf, type NotReady } from './startServers';

/** Says in the chat which servers an answer does without, and gives the button that lets the user review them. */
export function reportNotReady(
  stream: vscode.ChatResponseStream,
  { starting, untrusted, needValue }: NotReady,
): readonly vscode.Command[] {
  const { t } = vscode.l10n;
  const lines = [
    ...(starting.length > 0
      ? [t('Still starting, so this answer has no tools from: {0}', namesOf(starting))]
      : []),
    ...(untrusted.length > 0
      ? [t('Not trusted yet, so this answer has no tools from: {0}', namesOf(untrusted))]
      : []),
    ...(needValue.length > 0
      ? [t('Waiting for a value, so this answer has no tools of: {0}', namesOf(needValue))]
      : []),
  ];
  for (const line of lines) sayLine(stream, line);
  const open = [...untrusted, ...needValue];
  return open.length > 0 ? [reviewButton(open)] : [];
}

function reviewButton(servers: readonly Server[]): vscode.Command {
  const { t } = vscode.l10n;
  const count = servers.length;
  return {
    command: Command.reviewServers,
    title:
      count === 1
        ? t('1 Server Is Not Ready: Review…')
        : t('{0} Servers Are Not Ready: Review…', count),
    arguments: [servers.map(({ id }) => id)],
  };
}
