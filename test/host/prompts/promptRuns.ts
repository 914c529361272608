import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from '../../support/host/hostApi';

/** Sets one of our user settings; `undefined` restores its default. */
export async function set(key: string, value: unknown): Promise<void> {
  await vscode.workspace
    .getConfiguration('mcpWorkbench')
    .update(key, value, vscode.ConfigurationTarget.Global);
}

/** The source of a server with these prompts; `own` may answer a request with `answer` and return. */
export const promptServer = (prompts: readonly object[], own = '') => `
const results = {
  initialize: { protocolVersion: '2025-06-18', capabilities: { prompts: {} }, serverInfo: { name: 'x', version: '1' } },
  'prompts/list': { prompts: ${JSON.stringify(prompts)} },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const answer = (body) => console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
  ${own}
  answer({ result: results[method] ?? {} });
});`;

/** Runs a prompt like a keybinding; resolves to its messages as text. */
export async function run(
  server: string,
  prompt: string,
  args: object,
  action = 'insert',
): Promise<unknown> {
  return vscode.commands.executeCommand('mcpWorkbench.runPrompt', {
    server,
    prompt,
    action,
    arguments: args,
  });
}

/** Returns the text that a prompt inserts into an empty document, whose lines end on Windows as there. */
export async function inserted(server: string, prompt: string, args: object): Promise<string> {
  const document = await vscode.workspace.openTextDocument({ content: '' });
  await vscode.window.showTextDocument(document);
  await run(server, prompt, args);
  return document.getText().replaceAll('\r', '');
}

/** Does something that shows a preview, and waits for the preview; it is not active if its server was slow. */
export async function preview(
  show: () => PromiseLike<unknown>,
): Promise<{ readonly running: PromiseLike<unknown>; readonly document: vscode.TextDocument }> {
  const earlier = visiblePreviews();
  const added = () => visiblePreviews().find((document) => !earlier.includes(document));
  const running = show();
  await until(vscode.window.onDidChangeVisibleTextEditors, () => added() !== undefined);
  const document = added();
  assert.ok(document);
  return { running, document };
}

function visiblePreviews(): readonly vscode.TextDocument[] {
  return vscode.window.visibleTextEditors
    .map(({ document }) => document)
    .filter(({ languageId }) => languageId === 'mcp-prompt');
}

/** Closes every quick pick as soon as it is shown, after passing it to `onShown`. */
export function interceptPicks(
  onShown: (pick: vscode.QuickPick<vscode.QuickPickItem>) => void,
): vscode.Disposable {
  const { createQuickPick } = vscode.window;
  vscode.window.createQuickPick = <T extends vscode.QuickPickItem>() => {
    const pick = createQuickPick<T>();
    const show = pick.show.bind(pick);
    pick.show = () => {
      show();
      onShown(pick);
      void vscode.commands.executeCommand('mcpWorkbench.leaveQuestion');
    };
    return pick;
  };
  return new vscode.Disposable(() => (vscode.window.createQuickPick = createQuickPick));
}

/** Selects a choice above a document. */
export async function answer(document: vscode.TextDocument, choice: string): Promise<void> {
  await vscode.commands.executeCommand('mcpWorkbench.answerDocument', document.uri, choice);
}

/**
 * Captures the arguments that the chat would be opened with, and whether it would be a new chat; `show` can wait for
 * them. A message that nobody answers would be waited for, unless the chat refuses it.
 */
export async function chatOpened(
  show: (opened: Promise<unknown>) => Promise<unknown>,
  { isRefused = false } = {},
): Promise<unknown> {
  const { executeCommand } = vscode.commands;
  let open!: (opening: unknown) => void;
  let opening: unknown;
  let isNew = false;
  const opened = new Promise<unknown>((resolve) => (open = resolve));
  vscode.commands.executeCommand = <T>(command: string, ...rest: unknown[]) => {
    if (command === 'workbench.action.openChat') {
      isNew = true;
      return Promise.resolve(undefined as T);
    }
    if (command !== 'workbench.action.chat.open') return executeCommand<T>(command, ...rest);
    opening = { ...Object(rest[0]), isNew };
    open(opening);
    return isRefused ? Promise.reject(new Error('refused')) : Promise.resolve(undefined as T);
  };
  try {
    await show(opened);
  } finally {
    vscode.commands.executeCommand = executeCommand;
  }
  return opening;
}
