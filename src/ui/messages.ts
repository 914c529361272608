/*
 * The only file that shows messages, lines of the status bar and progress: whoever wrote parts of their texts, nothing of
 * them is hidden or works as more than text.
 */
import * as vscode from 'vscode';
import { longestMessage, wordsLabel } from '../base/text/text';
import { byUser, type UserAction } from './questions/question';

const kinds = {
  info: (text: string, buttons: readonly string[]) =>
    vscode.window.showInformationMessage(text, ...buttons),
  warning: (text: string, buttons: readonly string[]) =>
    vscode.window.showWarningMessage(text, ...buttons),
  error: (text: string, buttons: readonly string[]) =>
    vscode.window.showErrorMessage(text, ...buttons),
};

/**
 * Shows a message beside the work, with buttons; resolves to the button that the user pressed, as an action of theirs,
 * and to `undefined` if they dismissed it.
 */
export async function showMessage<T extends string>(
  kind: keyof typeof kinds,
  text: string,
  ...buttons: readonly T[]
): Promise<{ readonly button: T; readonly action: UserAction } | undefined> {
  const pressed = await kinds[kind](wordsLabel(text, longestMessage), buttons);
  const button = buttons.find((one) => one === pressed);
  return button === undefined ? undefined : { button, action: byUser() };
}

/** Says in the status bar what has been done, for so many milliseconds, after an icon of the editor if one is named. */
export function tellBriefly(text: string, ms: number, icon?: string): void {
  const plain = wordsLabel(text);
  vscode.window.setStatusBarMessage(icon === undefined ? plain : `$(${icon}) ${plain}`, ms);
}

/** Shows work that is under way until it ends, as the editor's own function does. */
export function withProgress<T>(
  options: vscode.ProgressOptions,
  work: (
    progress: vscode.Progress<{ message?: string; increment?: number }>,
    token: vscode.CancellationToken,
  ) => Thenable<T>,
): Thenable<T> {
  const title =
    options.title === undefined ? {} : { title: wordsLabel(options.title, longestMessage) };
  return vscode.window.withProgress({ ...options, ...title }, (progress, token) =>
    work(
      {
        report: ({ message, ...rest }) =>
          progress.report({
            ...rest,
            ...(message !== undefined && { message: wordsLabel(message, longestMessage) }),
          }),
      },
      token,
    ),
  );
}
