import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import { tooltipText } from '../base/text/text';
import type { Configuration } from '../config/configuration';
import type { Servers } from '../mcp/server';
import { View } from '../ui/ids';
import type { Questions } from '../ui/questions/questions';
import { pairText } from '../base/translate';

/**
 * Shows in the status bar how many servers run, failed or need a sign-in, and puts unseen questions or failures on the
 * view's badge.
 */
export function createStatusAndBadge(
  servers: Servers,
  configuration: Configuration,
  view: vscode.TreeView<unknown>,
  questions: Questions,
): Disposable {
  const store = new DisposableStore();
  const item = store.add(
    vscode.window.createStatusBarItem(View.servers, vscode.StatusBarAlignment.Right, 100),
  );
  item.name = 'MCP Workbench';
  item.command = `${View.servers}.focus`;

  const show = () => {
    const { all } = servers;
    const { problems } = configuration.current;
    let running = 0;
    const failed: string[] = [];
    const unreached: string[] = [];
    const signIns: string[] = [];
    for (const { name, state } of all)
      switch (state.kind) {
        case 'running':
          running += 1;
          break;
        case 'reconnecting':
          unreached.push(vscode.l10n.t('"{0}" cannot be reached. Reconnecting…', name));
          break;
        case 'failed':
          failed.push(pairText(name, state.message, vscode.l10n.t));
          break;
        case 'needsSignIn':
          signIns.push(vscode.l10n.t('{0} needs you to sign in', name));
          break;
        case 'starting':
        case 'stopped':
      }
    for (const { name, message } of problems) failed.push(pairText(name, message, vscode.l10n.t));
    const summary = vscode.l10n.t('MCP servers: {0} running, {1} failed', running, failed.length);
    item.text = [
      `$(mcp) ${running}`,
      ...(failed.length > 0 ? [`$(error) ${failed.length}`] : []),
      ...(unreached.length > 0 ? [`$(debug-disconnect) ${unreached.length}`] : []),
      ...(signIns.length > 0 ? [`$(key) ${signIns.length}`] : []),
    ].join(' ');
    item.tooltip = tooltipText([summary, ...failed, ...unreached, ...signIns].join('\n'));
    item.accessibilityInformation = { label: summary };
    if (all.length + problems.length > 0) item.show();
    else item.hide();
    const unseen = questions.unseen;
    view.badge =
      unseen.text !== ''
        ? { value: unseen.questions.length, tooltip: unseen.text }
        : failed.length > 0
          ? { value: failed.length, tooltip: summary }
          : undefined;
  };
  store.add(servers.onDidChange(show));
  store.add(configuration.onDidChange(show));
  store.add(questions.onDidChange(show));
  show();
  return store;
}
