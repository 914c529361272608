import * as vscode from 'vscode';
import { escapeMarkdown } from '../base/markdown';
import { errorDetail, errorMessage, UserError } from '../base/errors';
import { plainLabel } from '../base/text';
import type { Servers } from '../mcp/servers';
import type { RunTool } from '../mcp/toolCalls';
import { Setting } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { readRecord, toRecord } from './conversation';
import type { PromptDrafts } from './promptDrafts';
import { historyMessages, requestMessages } from './requestMessages';
import { answer } from './toolLoop';

/** Makes the handler of `@mcp`: the selected model answers with the tools of all servers at hand. */
export function createHandler(deps: {
  readonly servers: Servers;
  readonly run: RunTool;
  readonly drafts: PromptDrafts;
  readonly logs: Logs;
}): vscode.ChatRequestHandler {
  const { servers, run, drafts, logs } = deps;
  return async (request, context, stream, token) => {
    const controller = new AbortController();
    const conversation = conversationOf(context) ?? crypto.randomUUID();
    const subscription = token.onCancellationRequested(() => controller.abort());
    try {
      const asked = requestMessages(request, drafts);
      if (asked.leftOut.length > 0) stream.markdown(leftOutNote(asked.leftOut));
      const added = await answer([...historyMessages(context), ...asked.messages], {
        servers,
        run,
        model: request.model,
        stream,
        token,
        signal: controller.signal,
        origin: { kind: 'chat', conversation, answer: crypto.randomUUID() },
        maxRounds: vscode.workspace.getConfiguration().get(Setting.chatMaxRounds, 25),
      });
      return { metadata: toRecord(conversation, [...asked.messages, ...added]) };
    } catch (error) {
      if (token.isCancellationRequested) return {};
      if (!(error instanceof UserError)) logs.extension.error(errorDetail(error));
      return { errorDetails: { message: plainLabel(errorMessage(error), 1000) } };
    } finally {
      subscription.dispose();
    }
  };
}

function conversationOf({ history }: vscode.ChatContext): string | undefined {
  for (const turn of history)
    if (turn instanceof vscode.ChatResponseTurn) {
      const record = readRecord(turn.result.metadata);
      if (record) return record.conversation;
    }
  return undefined;
}

function leftOutNote(leftOut: readonly string[]): string {
  const lines = leftOut.map((what) => vscode.l10n.t('Not given to the model: {0}', what));
  return lines.map((line) => `${escapeMarkdown(line)}\n\n`).join('');
}
