import * as vscode from 'vscode';
import { CancelledError, UserError } from '../base/errors';
import { plainLabel } from '../base/text';
import type { SendToChat } from '../mcp/promptDraft';
import { displayName, type GetPromptResult } from '../mcp/protocol';
import { askArguments } from './askArguments';
import { promptKey, type PromptArguments, type PromptEntry } from './promptEntry';
import type { PromptHistory } from './promptHistory';

/** Runs a prompt: asks its arguments, gets its messages and hands them over. */
export async function runPrompt(
  entry: PromptEntry,
  deps: {
    readonly history: PromptHistory;
    readonly sendToChat: SendToChat;
  },
): Promise<void> {
  const { server, prompt } = entry;
  const key = promptKey(server, prompt);
  const asked = await askArguments(entry, {
    given: deps.history.draft(key),
    last: deps.history.lastArguments(key),
    atEnd: false,
  });
  deps.history.keepDraft(key, asked.values);
  if (asked.kind !== 'done') throw new CancelledError();
  const result = await getMessages(entry, asked.values);
  await deps.history.add(key, asked.values);
  await deps.sendToChat({
    server: { id: server.id, name: server.name },
    prompt: {
      name: prompt.name,
      ...(prompt.title !== undefined && { title: prompt.title }),
    },
    ...(result.description !== undefined && { description: result.description }),
    messages: result.messages,
    arguments: asked.values,
  });
}

async function getMessages(
  { server, prompt }: PromptEntry,
  values: PromptArguments,
): Promise<GetPromptResult> {
  const title = vscode.l10n.t(
    'Getting the prompt {0} from {1}',
    plainLabel(displayName(prompt)),
    plainLabel(server.name),
  );
  const result = await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort(new CancelledError()));
      return await server.getPrompt(prompt.name, values, {
        signal: controller.signal,
        onProgress: ({ message }) => progress.report({ message: plainLabel(message ?? '') }),
      });
    },
  );
  if (result.messages.length === 0)
    throw new UserError(
      vscode.l10n.t(
        '{0} answered the prompt {1} with no messages, so there is nothing to send.',
        plainLabel(server.name),
        plainLabel(displayName(prompt)),
      ),
    );
  return result;
}
