import * as vscode from 'vscode';
import { escapeMarkdown } from '../../base/text/markdown';
import type { Server } from '../../mcp/server';
import { Command } from '../../ui/ids';
import { namesOf, type NotReady } from './startServers';

/** Says in the chat which servers an answer does without, and gives the button that lets the user review them. */
export function reportNotReady(
  stream: vscode.ChatResponseStream,
  { starting, untrusted }: NotReady,
): readonly vscode.Command[] {
  const { t } = vscode.l10n;
  const lines = [
    ...(starting.length > 0
      ? [t('Still starting, so this answer has no tools of: {0}', namesOf(starting))]
      : []),
    ...(untrusted.length > 0
      ? [t('Not trusted yet, so this answer has no tools of: {0}', namesOf(untrusted))]
      : []),
  ];
  for (const line of lines) stream.markdown(`${escapeMarkdown(line)}\n\n`);
  return untrusted.length > 0 ? [reviewButton(untrusted)] : [];
}

function reviewButton(untrusted: readonly Server[]): vscode.Command {
  const { t } = vscode.l10n;
  const count = untrusted.length;
  return {
    command: Command.reviewServers,
    title:
      count === 1
        ? t('1 Server Is Not Trusted Yet: Review…')
        : t('{0} Servers Are Not Trusted Yet: Review…', count),
    arguments: [untrusted.map(({ id }) => id)],
  };
}
