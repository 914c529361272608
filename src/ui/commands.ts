import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import {
  errorDetail,
  errorMessage,
  isCancellation,
  PutOffError,
  UnchangedFileError,
  UserError,
} from '../base/errors';
import type { Command } from './ids';
import { showText } from './keyboard';
import { showMessage } from './messages';
import type { Logs } from './logs';
import { byUser, isUserAction, type UserAction } from './questions/question';

type CommandId = (typeof Command)[keyof typeof Command];

/** What a command does: it gets the action of the user who runs it, and then what the command was given. */
export type CommandHandler = (action: UserAction, ...args: never[]) => unknown;

type Handlers = Partial<Record<CommandId, CommandHandler>>;

/** Only handlers whose first parameter, if they have one, is known to be the action. */
type Acting<H extends Handlers> = {
  readonly [K in keyof H]: H[K] extends (...args: infer A) => unknown
    ? unknown extends A[0]
      ? never
      : H[K]
    : never;
};

/** Registers commands whose failures are shown to the user instead of being thrown at the editor. */
export function registerCommands<H extends Handlers>(
  logs: Logs,
  handlers: H & Acting<H>,
): Disposable {
  const store = new DisposableStore();
  for (const [id, handler] of Object.entries<CommandHandler>(handlers)) {
    const run = async (...args: never[]): Promise<unknown> => {
      try {
        const handed: unknown = args.at(-1);
        return await (isUserAction(handed)
          ? handler(handed, ...args.slice(0, -1))
          : handler(byUser(), ...args));
      } catch (error) {
        reportError(error, logs);
        return undefined;
      }
    };
    store.add(vscode.commands.registerCommand(id, run));
  }
  return store;
}

/** Runs a command of ours by an action of the user: its handler gets that one, rather than a new one. */
export function runCommand(
  action: UserAction,
  id: CommandId,
  ...args: readonly unknown[]
): Thenable<unknown> {
  return vscode.commands.executeCommand(id, ...args, action);
}

/** The last update of each key, which the next one waits for. */
const settings = new Map<string, Promise<unknown>>();

const didSet = new vscode.EventEmitter<string>();

/** Fires with each key that {@link setContextKey} has set. */
export const onDidSetContextKey = didSet.event;

/**
 * Sets a key that `when` clauses depend on, after any earlier update of it: while a window opens, the editor may run
 * the second of two commands first.
 */
export async function setContextKey(key: string, value: unknown): Promise<void> {
  const set = async () => vscode.commands.executeCommand('setContext', key, value);
  const setting = settings.get(key)?.then(set, set) ?? set();
  settings.set(key, setting);
  await setting;
  didSet.fire(key);
}

/**
 * Tells the user about an error that is neither a cancellation nor what they have just put off: a `UserError` as it is, with *Open File* if it is about a
 * file, any other error in one line with *Show Log*.
 */
export function reportError(error: unknown, logs: Logs): void {
  if (isCancellation(error) || error instanceof PutOffError) return;
  const expected = error instanceof UserError;
  if (!expected) logs.extension.error(errorDetail(error));
  const showLog = vscode.l10n.t('Show Log');
  const openFile = vscode.l10n.t('Open File');
  const file = error instanceof UnchangedFileError ? vscode.Uri.parse(error.file) : undefined;
  const text = errorMessage(error, vscode.l10n.t);
  const buttons = [...(expected ? [] : [showLog]), ...(file ? [openFile] : [])];
  void showMessage('error', text, ...buttons).then((pressed) => {
    if (pressed?.button === showLog) logs.show();
    if (file && pressed?.button === openFile) void showText(file, pressed.action);
  });
}
