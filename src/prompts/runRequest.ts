import * as vscode from 'vscode';
import { UserError } from '../base/errors';
import { plainLabel } from '../base/text/text';
import { displayName, entryNamed } from '../mcp/protocol/types';
import type { Starts } from '../contracts/starts';
import { type DeliveryTarget, deliveryTargets } from './delivery/targets';
import type { PromptArguments, PromptEntry } from './promptEntry';
import type { UserAction } from '../ui/questions/question';
import { isRecord } from '../base/json';
import type { Servers, Server } from '../mcp/server';
import { isPromptNode } from './promptSection';
import { notStarted } from '../mcp/serverState';
import { withProgress } from '../ui/messages';

/** A request to run a prompt; the user is asked for missing arguments, and a missing target is the one chosen last. */
export interface RunRequest {
  readonly entry: PromptEntry;
  /** The user's action that wants it; `undefined` if a model does. */
  readonly asked?: UserAction | undefined;
  readonly arguments?: PromptArguments;
  readonly target?: DeliveryTarget;
  /** True if the user has just chosen the target, which then applies to the next run, too. */
  readonly isChosen?: boolean;
  /** Called when the server is done: from then on, the same request is a new one. */
  readonly answered?: () => void;
}

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
        ? vscode.l10n.t('A prompt\'s "action" must be one of {0}.', deliveryTargets.join(', '))
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
  const { prompt: name, arguments: args, action: target } = command;
  // A server that was never started has no list yet; running the prompt starts it and looks again.
  const prompt = entryNamed(server.prompts, name) ?? { name };
  return {
    entry: { server, prompt },
    ...(args !== undefined && { arguments: args }),
    ...(target !== undefined && { target }),
  };
}

/** A prompt to run as a keybinding or a task specifies it, with the server's id or name. */
interface RunCommand {
  readonly server: string;
  readonly prompt: string;
  readonly arguments?: PromptArguments;
  readonly action?: DeliveryTarget;
}

/** Reads the arguments of the command; `undefined` if they name no prompt, a `problem` if one of them is invalid. */
export function parseRunCommand(
  value: unknown,
): RunCommand | { readonly problem: 'arguments' | 'action' } | undefined {
  if (!isRecord(value)) return undefined;
  const { server, prompt, arguments: args, action } = value;
  if (typeof server !== 'string' || typeof prompt !== 'string') return undefined;
  const known = deliveryTargets.find((name) => name === action);
  if (action !== undefined && known === undefined) return { problem: 'action' };
  if (args !== undefined && !isArguments(args)) return { problem: 'arguments' };
  return {
    server,
    prompt,
    ...(args !== undefined && { arguments: args }),
    ...(known !== undefined && { action: known }),
  };
}

/** Returns a keybinding that runs the prompt, in the form of an entry in `keybindings.json`. */
export function keybindingText(command: string, args: RunCommand): string {
  return JSON.stringify({ key: '', command, args }, undefined, 2);
}

function isArguments(value: unknown): value is PromptArguments {
  return isRecord(value) && Object.values(value).every((text) => typeof text === 'string');
}

/**
 * Returns the prompt as its server, started if necessary for whoever asked, offers it now; throws a `UserError` if it no
 * longer does.
 */
export async function currentEntry(
  { server, prompt }: PromptEntry,
  starts: Pick<Starts, 'start'>,
  asked: UserAction | undefined,
): Promise<PromptEntry> {
  await ensureRunning(server, () => starts.start(server.id, asked));
  const current = entryNamed(server.prompts, prompt.name);
  if (current) return { server, prompt: current };
  throw new UserError(
    vscode.l10n.t(
      '"{0}" no longer offers the prompt "{1}". Run MCP Prompt… lists those it offers.',
      plainLabel(server.name),
      plainLabel(displayName(prompt)),
    ),
  );
}

/** Starts the server of a prompt if necessary; throws a `UserError` if it does not start. */
async function ensureRunning(
  server: Server,
  start: () => ReturnType<Starts['start']>,
): Promise<void> {
  if (server.state.kind === 'running') return;
  const name = plainLabel(server.name);
  const [outcome] = await startWithProgress(server, start);
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
  start: () => ReturnType<Starts['start']>,
): ReturnType<Starts['start']> {
  const message = vscode.l10n.t('Starting {0}…', plainLabel(server.name));
  return withProgress({ location: vscode.ProgressLocation.Window }, async (progress) => {
    const tell = () => {
      const { state } = server;
      progress.report(state.kind === 'starting' && state.isWaiting ? {} : { message });
    };
    const change = server.onDidChangeState(tell);
    tell();
    try {
      return await start();
    } finally {
      change.dispose();
    }
  });
}
