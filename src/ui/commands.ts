import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { errorDetail, errorMessage, isCancellation, UserError } from '../base/errors';
import { plainMessage } from '../base/text/text';
import type { Command } from './ids';
import type { Logs } from './logs';

type CommandId = (typeof Command)[keyof typeof Command];

/** Registers commands whose failure is told to the person instead of thrown at the editor. */
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

/** Tells the person about a failure: a `UserError` as it is, others in one line with *Show Log*. */
export function reportError(error: unknown, logs: Logs): void {
  if (isCancellation(error)) return;
  const expected = error instanceof UserError;
  if (!expected) logs.extension.error(errorDetail(error));
  const showLog = vscode.l10n.t('Show Log');
  const told = vscode.window.showErrorMessage(
    plainMessage(errorMessage(error)),
    ...(expected ? [] : [showLog]),
  );
  void told.then((choice) => {
    if (choice === showLog) logs.show();
  });
}
