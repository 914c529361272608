import * as vscode from 'vscode';
import { delay } from '../../base/async';

/** Longer than a clipboard takes that may be read. */
const shownAfterMs = 500;

/** Whether reading the clipboard may make a browser, or the editor in it, ask the user for that. */
export function mayAskForClipboard(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Web;
}

/**
 * Reads the clipboard. Where a browser refuses it the editor waits for the user, perhaps for ever: that is shown, and
 * resolves to `undefined` when the user cancels it.
 */
export async function readClipboard(): Promise<string | undefined> {
  const reading = Promise.resolve(vscode.env.clipboard.readText());
  const settled = reading.then(
    () => true,
    () => true,
  );
  const isLate = delay(shownAfterMs).then(() => false);
  if (await Promise.race([settled, isLate])) return reading;
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      title: vscode.l10n.t('Waiting for access to the clipboard…'),
      cancellable: true,
    },
    (_progress, token) => {
      const cancelled = new Promise<undefined>((resolve) => {
        token.onCancellationRequested(() => resolve(undefined));
      });
      return Promise.race([reading, cancelled]);
    },
  );
}
