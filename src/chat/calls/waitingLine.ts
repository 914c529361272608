import * as vscode from 'vscode';
import { Timer } from '../../base/async';
import { Command } from '../../ui/ids';
import { sayLine } from '../../ui/rows/chatText';

/** A question that is answered sooner needs no line; several calls of one round share one. */
const settleMs = 500;

/** Says in an answer how many of its calls wait for the user, with the button that shows their question. */
export class WaitingLine {
  private readonly stream: vscode.ChatResponseStream;
  private readonly timer = new Timer(() => this.write());
  private waiting = 0;

  constructor(stream: vscode.ChatResponseStream) {
    this.stream = stream;
  }

  /** The user is asked about a call; what this gives says that it was decided. */
  begin(): () => void {
    this.waiting += 1;
    this.timer.start(settleMs);
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.waiting -= 1;
      if (this.waiting === 0) this.timer.dispose();
    };
  }

  private write(): void {
    const { t } = vscode.l10n;
    const title =
      this.waiting === 1
        ? t('1 call waits for your answer')
        : t('{0} calls wait for your answer', this.waiting);
    sayLine(this.stream, title);
    this.stream.button({ command: Command.showQuestions, title: t('Show Question') });
  }
}
