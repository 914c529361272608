import assert from 'node:assert/strict';
import * as vscode from 'vscode';

/** Resolves when `event` fires and `accept` is true then, or at once when it is true now. */
export async function until(
  event: (listener: () => void) => { dispose(): unknown },
  accept: () => boolean,
): Promise<void> {
  if (accept()) return;
  await new Promise<void>((resolve) => {
    const subscription = event(() => {
      if (!accept()) return;
      subscription.dispose();
      resolve();
    });
  });
}

/** Gives one of our user settings a value, or with `undefined` its default again. */
export async function set(key: string, value: unknown): Promise<void> {
  await vscode.workspace
    .getConfiguration('mcpWorkbench')
    .update(key, value, vscode.ConfigurationTarget.Global);
}

/** Runs a prompt as a keybinding does; resolves to its messages as text. */
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

/** The text that a prompt inserts into an empty document. */
export async function inserted(server: string, prompt: string, args: object): Promise<string> {
  const document = await vscode.workspace.openTextDocument({ content: '' });
  await vscode.window.showTextDocument(document);
  await run(server, prompt, args);
  return document.getText();
}

function previewIsActive(): boolean {
  return vscode.window.activeTextEditor?.document.languageId === 'mcp-prompt';
}

/** Does what shows a preview, and waits until it is the active document. */
export async function preview(
  show: () => PromiseLike<unknown>,
): Promise<{ readonly running: PromiseLike<unknown>; readonly document: vscode.TextDocument }> {
  const running = show();
  await until(vscode.window.onDidChangeActiveTextEditor, previewIsActive);
  const document = vscode.window.activeTextEditor?.document;
  assert.ok(document);
  return { running, document };
}

/** Makes a choice above a document. */
export async function answer(document: vscode.TextDocument, choice: string): Promise<void> {
  await vscode.commands.executeCommand('mcpWorkbench.answerDocument', document.uri, choice);
}
