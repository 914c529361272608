import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { plainLabel, revealHidden } from '../../base/text/text';
import { Command } from '../ids';
import type { WaitingQuestion } from './question';
import type { QuestionQueue } from './queue';

/** At most this many waiting questions are named in the tooltip. */
const maxLines = 20;

/** Shows a status bar item that says how many questions wait unseen and for what, and that opens them. */
export function createWaitingItem(queue: QuestionQueue): Disposable {
  const store = new DisposableStore();
  const item = store.add(
    vscode.window.createStatusBarItem(Command.showQuestions, vscode.StatusBarAlignment.Right, 101),
  );
  const { t } = vscode.l10n;
  item.name = t('MCP Workbench: Questions');
  item.command = Command.showQuestions;
  item.backgroundColor = new vscode.ThemeColor('statusBarItem.warningBackground');
  const show = () => {
    const unseen = unseenOf(queue.waiting);
    if (unseen.length === 0) return item.hide();
    const summary = waitingText(unseen);
    item.text = `$(question) ${summary}`;
    const rest = unseen.length - maxLines;
    const lines = [
      ...unseen.slice(0, maxLines).map(waitingLine),
      ...(rest > 0 ? [t('And {0} more', rest)] : []),
      t('Click to answer.'),
    ];
    item.tooltip = revealHidden(lines.join('\n'));
    item.accessibilityInformation = { label: summary, role: 'button' };
    item.show();
  };
  store.add(queue.onDidChange(show));
  show();
  return store;
}

/** Returns the questions that the user cannot see now. */
export function unseenOf(waiting: readonly WaitingQuestion[]): readonly WaitingQuestion[] {
  return waiting.filter(({ state }) => state !== 'shown');
}

/** Says how many questions wait, as the status bar shows it. */
export function waitingText(waiting: readonly WaitingQuestion[]): string {
  const { t } = vscode.l10n;
  const count = waiting.length;
  const areCalls = waiting.every(({ kind }) => kind === 'call');
  if (areCalls)
    return count === 1
      ? t('1 call waits for your answer')
      : t('{0} calls wait for your answer', count);
  return count === 1
    ? t('1 question waits for your answer')
    : t('{0} questions wait for your answer', count);
}

function waitingLine({ server, what, since, state, recall }: WaitingQuestion): string {
  const time = new Date(since).toLocaleTimeString(vscode.env.language);
  const line = vscode.l10n.t('{0}: {1}, since {2}', plainLabel(server.name, 60), what, time);
  if (state !== 'setAside') return line;
  return recall
    ? vscode.l10n.t('{0} (open in an editor)', line)
    : vscode.l10n.t('{0} (waiting for your edit)', line);
}

/**
 * Says why there is no question to show: none waits, or the user must first finish what they opened elsewhere for one.
 */
export function nothingToShow([first]: readonly WaitingQuestion[]): string {
  const { t } = vscode.l10n;
  return first
    ? t(
        'Finish or cancel what "{0}" has opened, such as a dialog or a request of the browser.',
        first.what,
      )
    : t('No question waits for you.');
}
