import * as vscode from 'vscode';
import { signalOf } from '../base/async';
import { CancelledError, UserError } from '../base/errors';
import { plainLabel } from '../base/text/text';
import type { PromptDraft } from '../contracts/promptDraft';
import type { StartServer } from '../contracts/startServer';
import { displayName } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import { notStarted } from '../mcp/serverState';
import type { PromptArguments, PromptEntry } from './promptEntry';
import { withProgress } from '../ui/messages';

/** Starts the server of a prompt if necessary; throws a `UserError` if it does not start. */
export async function ensureRunning(server: Server, startServer: StartServer): Promise<void> {
  if (server.state.kind === 'running') return;
  const name = plainLabel(server.name);
  const [outcome] = await startWithProgress(server, startServer);
  switch (outcome?.kind) {
    case undefined:
    case 'running':
      return;
    case 'needsSignIn':
      throw new UserError(
        vscode.l10n.t(
          '"{0}" wants you to sign in first: select "Sign In" on its row in the MCP Workbench view.',
          name,
        ),
      );
    case 'failed':
    case 'refused':
      throw notStarted(outcome, vscode.l10n.t('"{0}" did not start: {1}', name, outcome.message));
  }
}

/** Says in the status bar that a server is starting, except while a question about the start waits for the user. */
async function startWithProgress(
  server: Server,
  startServer: StartServer,
): ReturnType<StartServer> {
  const message = vscode.l10n.t('Starting {0}…', plainLabel(server.name));
  return withProgress({ location: vscode.ProgressLocation.Window }, async (progress) => {
    const tell = () => {
      const { state } = server;
      progress.report(state.kind === 'starting' && state.isWaiting ? {} : { message });
    };
    const change = server.onDidChangeState(tell);
    tell();
    try {
      return await startServer(server.id);
    } finally {
      change.dispose();
    }
  });
}

/** Gets the messages of a prompt, which the user can cancel; throws a `UserError` if there are none. */
export async function getPrompt(
  { server, prompt }: PromptEntry,
  values: PromptArguments,
): Promise<PromptDraft> {
  const names = [plainLabel(displayName(prompt)), plainLabel(server.name)] as const;
  const title = vscode.l10n.t('Getting the prompt {0} from {1}', ...names);
  const result = await withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    async (progress, token) => {
      return await server.getPrompt(prompt.name, values, {
        signal: signalOf(token, new CancelledError()),
        onProgress: ({ message }) => progress.report({ message: plainLabel(message ?? '') }),
      });
    },
  );
  if (result.messages.length === 0)
    throw new UserError(
      vscode.l10n.t(
        'The prompt "{0}" from {1} returned no messages, so there is nothing to send.',
        ...names,
      ),
    );
  return {
    server: { id: server.id, name: server.name },
    prompt: { name: prompt.name, ...(prompt.title !== undefined && { title: prompt.title }) },
    ...(result.description !== undefined && { description: result.description }),
    messages: result.messages,
    arguments: values,
  };
}
