import * as vscode from 'vscode';
import { within } from '../../base/async';

/** The wait is shown after this time, which is longer than reading takes if it is allowed. */
const shownAfterMs = 500;

/** True if reading the clipboard may make a browser, or the editor in it, ask the user for permission. */
export function mayAskForClipboard(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Web;
}

/**
 * Reads the clipboard; if a browser refuses that, the editor waits for the user, perhaps forever: the wait is shown,
 * and `undefined` is returned if the user cancels it.
 */
export async function readClipboard(): Promise<string | undefined> {
  const reading = Promise.resolve(vscode.env.clipboard.readText());
  const settled = reading.then(
    () => true,
    () => true,
  );
  if (await within(settled, shownAfterMs)) return reading;
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
