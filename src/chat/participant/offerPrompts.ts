import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { displayName } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import { sayLine } from '../../ui/rows/chatText';
import { Command } from '../../ui/ids';
import { chatName } from './sendPrompt';

/** The most prompts of one name that are offered. */
const maxOffered = 5;

/**
 * Answers a `/prompt` whose words do not refer to a kept prompt: offers the prompts of that name, and the list of
 * all.
 */
export function offerPrompts(
  stream: vscode.ChatResponseStream,
  words: string,
  servers: readonly Server[],
): void {
  const { t } = vscode.l10n;
  const wanted = nameIn(words);
  const found = servers
    .flatMap((server) => server.prompts.items.map((prompt) => ({ server, prompt })))
    .filter(({ prompt }) => [prompt.name, displayName(prompt)].map(nameIn).includes(wanted));
  sayLine(stream, leadOf(words, found.length > 0));
  for (const { server, prompt } of found.slice(0, maxOffered))
    stream.button({
      command: Command.runPrompt,
      title: t('Run {0} ({1})', plainLabel(displayName(prompt), 60), plainLabel(server.name, 60)),
      arguments: [{ server: server.id, prompt: prompt.name, action: 'chat' }],
    });
  stream.button({ command: Command.runPrompt, title: t('Run MCP Prompt…') });
}

function leadOf(words: string, isFound: boolean): string {
  const { t } = vscode.l10n;
  if (words.trim() === '') return t('Run a prompt: its messages are sent here.');
  return isFound
    ? t('The messages of this prompt are not at hand. Run it to get them.')
    : t('No server has a prompt called "{0}".', plainLabel(words, 100));
}

/** Returns a name as it is compared: as in the chat, without the number of a repeated run. */
function nameIn(words: string): string {
  return chatName(words)
    .replace(/ \(\d+\)$/, '')
    .toLowerCase();
}
