import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { plainLabel } from '../base/text/text';
import type { AskingServer } from '../mcp/protocol/clientRequests';

/**
 * Resolves when the window has the focus, so that no question takes the keys of another one; until
 * then a notification waits. False when the person cancelled it there, or `signal` aborted.
 */
export async function untilPresent({ name }: AskingServer, signal: AbortSignal): Promise<boolean> {
  if (vscode.window.state.focused) return true;
  const title = vscode.l10n.t('{0} asks you something and waits', plainLabel(name, 60));
  return await vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (_progress, token) => untilFocused(token, signal),
  );
}

function untilFocused(token: vscode.CancellationToken, signal: AbortSignal): Promise<boolean> {
  const store = new DisposableStore();
  return new Promise((resolve) => {
    const end = (present: boolean) => {
      store.dispose();
      resolve(present);
    };
    const withdraw = () => end(false);
    signal.addEventListener('abort', withdraw);
    store.add({ dispose: () => signal.removeEventListener('abort', withdraw) });
    store.add(token.onCancellationRequested(withdraw));
    store.add(
      vscode.window.onDidChangeWindowState(({ focused }) => {
        if (focused) end(true);
      }),
    );
    if (signal.aborted) withdraw();
  });
}
