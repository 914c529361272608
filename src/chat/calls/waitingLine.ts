import * as vscode from 'vscode';
import { Timer } from '../../base/async';
import { Command } from '../../ui/ids';
import { sayLine, sayLink } from '../../ui/rows/chatText';

/** A question that is answered sooner needs no line; several calls of one round share one. */
const settleMs = 500;

/**
 * Says in an answer how many of its calls wait for the user, with a link that shows their question. It stays as it is
 * when the user stops the answer, to which the editor then adds nothing: the link says that the question has ended.
 */
export class WaitingLine {
  private readonly stream: Pick<vscode.ChatResponseStream, 'markdown'>;
  private readonly answer: string;
  private readonly timer = new Timer(() => this.write());
  private waiting = 0;

  constructor(stream: Pick<vscode.ChatResponseStream, 'markdown'>, answer: string) {
    this.stream = stream;
    this.answer = answer;
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
    // No button: those that are about something are dead after a reload of the window.
    sayLink(this.stream, t('Show Question'), Command.showCallQuestion, this.answer);
  }
}
