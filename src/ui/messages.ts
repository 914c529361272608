import * as vscode from 'vscode';
import { plainMessage } from '../base/text/text';
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
export async function offer<T extends string>(
  kind: keyof typeof kinds,
  text: string,
  ...buttons: readonly T[]
): Promise<{ readonly button: T; readonly action: UserAction } | undefined> {
  const pressed = await kinds[kind](plainMessage(text), buttons);
  const button = buttons.find((one) => one === pressed);
  return button === undefined ? undefined : { button, action: byUser() };
}
