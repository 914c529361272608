import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import {
  errorDetail,
  errorMessage,
  isCancellation,
  UnchangedFileError,
  UserError,
} from '../base/errors';
import { plainMessage } from '../base/text/text';
import type { Command } from './ids';
import type { Logs } from './logs';

type CommandId = (typeof Command)[keyof typeof Command];

/** Registers commands whose failures are shown to the user instead of being thrown at the editor. */
export function registerCommands(
  logs: Logs,
  handlers: Partial<Record<CommandId, (...args: never[]) => unknown>>,
): Disposable {
  const store = new DisposableStore();
  for (const [id, handler] of Object.entries(handlers)) {
    const run = async (...args: never[]): Promise<unknown> => {
      try {
        return await handler(...args);
      } catch (error) {
        reportError(error, logs);
        return undefined;
      }
    };
    store.add(vscode.commands.registerCommand(id, run));
  }
  return store;
}

/** The last update of each key, which the next one waits for. */
const settings = new Map<string, Promise<unknown>>();

/**
 * Sets a key that `when` clauses depend on, after any earlier update of it: while a window opens, the editor may run
 * the second of two commands first.
 */
export async function setContextKey(key: string, value: unknown): Promise<void> {
  const set = async () => vscode.commands.executeCommand('setContext', key, value);
  const setting = settings.get(key)?.then(set, set) ?? set();
  settings.set(key, setting);
  await setting;
}

/**
 * Tells the user about an error that is not a cancellation: a `UserError` as it is, with *Open File* if it is about a
 * file, any other error in one line with *Show Log*.
 */
export function reportError(error: unknown, logs: Logs): void {
  if (isCancellation(error)) return;
  const expected = error instanceof UserError;
  if (!expected) logs.extension.error(errorDetail(error));
  const showLog = vscode.l10n.t('Show Log');
  const openFile = vscode.l10n.t('Open File');
  const file = error instanceof UnchangedFileError ? vscode.Uri.parse(error.file) : undefined;
  const told = vscode.window.showErrorMessage(
    plainMessage(errorMessage(error, vscode.l10n.t)),
    ...(expected ? [] : [showLog]),
    ...(file ? [openFile] : []),
  );
  void told.then((choice) => {
    if (choice === showLog) logs.show();
    if (file && choice === openFile) void vscode.window.showTextDocument(file);
  });
}
