import * as vscode from 'vscode';

/** Answers the save dialog with a file, and records what it offered and the messages shown afterwards. */
export function watchExports(file: string): {
  /** The URIs that were offered. */
  readonly asked: readonly string[];
  /** The messages that were shown, with their buttons. */
  readonly told: readonly string[];
  readonly dispose: () => void;
} {
  const { showSaveDialog, showInformationMessage } = vscode.window;
  const asked: string[] = [];
  const told: string[] = [];
  vscode.window.showSaveDialog = ({ defaultUri } = {}) => {
    asked.push(String(defaultUri));
    return Promise.resolve(vscode.Uri.file(file));
  };
  vscode.window.showInformationMessage = (message: string, ...buttons: unknown[]) => {
    told.push(`${message} [${buttons.join()}]`);
    return Promise.resolve(undefined);
  };
  return {
    asked,
    told,
    dispose: () => Object.assign(vscode.window, { showSaveDialog, showInformationMessage }),
  };
}
