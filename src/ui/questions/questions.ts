import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { Event } from '../../base/event';
import { registerCommands } from '../commands';
import { Command, ContextKey, Setting } from '../ids';
import { readSetting } from '../settings/readSetting';
import type { Logs } from '../logs';
import { watchForComeback } from './comeback';
import { watchActions } from './lastActions';
import { isRightMoment } from './moment';
import { QuestionWithdrawn, type QuestionOutcome } from '../../contracts/questionOutcome';
import { QuestionQueue } from './queue';
import type { Asking, KeyClock, Waiting } from './stage';
import { createWaitingItem, unseenOf, waitingText } from './waitingItem';

/** The one place through which every decision of the user goes. */
export interface Questions {
  /** Puts a question to the user when it is its turn; an abort of `signal` takes it back. */
  ask<T>(asking: Asking<T>, signal: AbortSignal): Promise<QuestionOutcome<T>>;
  /** Declines everything that waits of a server and can be declined. */
  declineAll(serverId: string): void;
  /** The questions that wait and are not shown, and one sentence about them; empty where there are none. */
  readonly unseen: { readonly questions: readonly Waiting[]; readonly text: string };
  readonly onDidChange: Event<void>;
  /** Is told when the user did something with the product: what follows may take the keyboard. */
  noteAction(): void;
}

/** Makes the {@link Questions} of this window; its end withdraws all of them. */
export function createQuestions(logs: Logs, clock: KeyClock): Disposable & Questions {
  const store = new DisposableStore();
  const actions = store.add(watchActions(clock.now));
  const queue = new QuestionQueue({
    ...clock,
    mayShow: () =>
      vscode.window.state.focused &&
      isRightMoment(readSetting(Setting.showQuestions), actions.last, clock.now()),
  });
  const closed = new AbortController();
  store.add({ dispose: () => closed.abort(new QuestionWithdrawn('windowClosed')) });
  store.add(createWaitingItem(queue));
  store.add(watchForComeback(queue));
  const { executeCommand } = vscode.commands;
  const setContext = () => {
    const mode = queue.face?.mode ?? (queue.isCovered ? 'covered' : '');
    void executeCommand('setContext', ContextKey.question, mode);
  };
  store.add(queue.onDidChange(setContext));
  store.add(
    registerCommands(logs, {
      [Command.showQuestions]: () => queue.open(),
      [Command.acceptQuestion]: async () => {
        // The key may come when something else has the quick input already.
        if (queue.face?.mode === 'decision') queue.face.enter();
        else await executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      },
      [Command.leaveQuestion]: async () => {
        if (queue.face) return queue.face.escape();
        await executeCommand('workbench.action.closeQuickOpen');
        queue.free();
      },
    }),
  );
  return {
    ask: (asking, signal) => queue.ask(asking, AbortSignal.any([signal, closed.signal])),
    declineAll: (serverId) => queue.declineAll(serverId),
    get unseen() {
      const questions = unseenOf(queue.waiting);
      return { questions, text: questions.length === 0 ? '' : waitingText(questions) };
    },
    onDidChange: queue.onDidChange,
    noteAction: () => actions.noteOwn(),
    dispose: () => store.dispose(),
  };
}
