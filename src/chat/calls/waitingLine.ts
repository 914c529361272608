import * as vscode from 'vscode';
import { Timer } from '../../base/async';
import { Command } from '../../ui/ids';
import { sayLine, sayLink } from '../../ui/rows/chatText';

/** A question that is answered sooner than this needs no line; several calls of one round share a line. */
const settleMs = 500;

/**
 * Says in an answer how many of its calls wait for the user, with a link that shows their question. The line
 * stays as it is if the user stops the answer, to which the editor then adds nothing: the link says that the
 * question has ended.
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

  /** Notes that the user is asked about a call; returns a function to call once it is decided. */
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
    // Not a button: buttons with arguments no longer work after the window is reloaded.
    sayLink(this.stream, t('Show Question'), Command.showCallQuestion, this.answer);
  }
}
