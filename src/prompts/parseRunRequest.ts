import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { plainLabel } from '../base/text/text';
import type { Servers } from '../mcp/servers';
import { promptActions } from './promptAction';
import { isPromptNode } from './promptSection';
import { parseRunCommand } from './runCommand';
import type { RunRequest } from './runPrompt';
import { entryNamed } from '../mcp/protocol/types';

/**
 * Reads what the command was given: a row of the tree, or the arguments of a keybinding, once the configuration has been
 * read. `undefined` if they name no prompt; rejects with a `UserError` if they are invalid or the server does not exist.
 */
export async function parseRunRequest(
  given: unknown,
  servers: Servers,
): Promise<RunRequest | undefined> {
  if (isPromptNode(given)) return { entry: given };
  const command = parseRunCommand(given);
  if (!command) return undefined;
  if ('problem' in command)
    throw new UserError(
      command.problem === 'action'
        ? vscode.l10n.t('A prompt\'s "action" must be one of {0}.', promptActions.join(', '))
        : vscode.l10n.t('A prompt\'s "arguments" must be an object of strings.'),
    );
  await servers.ready;
  const server =
    servers.get(command.server) ?? servers.all.find(({ name }) => name === command.server);
  if (!server)
    throw new UserError(
      vscode.l10n.t(
        'No server "{0}" is configured here, so its prompt "{1}" cannot run.',
        plainLabel(command.server),
        plainLabel(command.prompt),
      ),
    );
  const { prompt: name, server: _server, ...rest } = command;
  // A server that was never started has no list yet; running the prompt starts it and looks again.
  const prompt = entryNamed(server.prompts, name) ?? { name };
  return { ...rest, entry: { server, prompt } };
}
