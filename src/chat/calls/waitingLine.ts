import * as vscode from 'vscode';
import { Timer } from '../../base/async';
import { sayBreak, sayProgress } from '../../ui/rows/chatText';

/** A question that is answered sooner than this needs no line; calls that come at once share a line. */
const settleMs = 500;

/** Says in an answer how many of its calls wait for the user, until all are decided. */
export class WaitingLine {
  private readonly stream: Pick<vscode.ChatResponseStream, 'markdown' | 'progress'>;
  private readonly timer = new Timer(() => this.write());
  private waiting = 0;
  private isShown = false;

  constructor(stream: Pick<vscode.ChatResponseStream, 'markdown' | 'progress'>) {
    this.stream = stream;
  }

  /** Notes that the user is asked about a call; returns a function to call once it is decided. */
  begin(): () => void {
    this.waiting += 1;
    this.timer.start(settleMs);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.waiting -= 1;
      if (this.waiting > 0) return;
      this.timer.dispose();
      // The editor shows progress until something else follows it.
      if (this.isShown) sayBreak(this.stream);
      this.isShown = false;
    };
  }

  private write(): void {
    const { t } = vscode.l10n;
    const title =
      this.waiting === 1
        ? t('1 call waits for your answer')
        : t('{0} calls wait for your answer', this.waiting);
    sayProgress(this.stream, title);
    this.isShown = true;
  }
}
