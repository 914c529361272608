import * as vscode from 'vscode';
import { untilAborted } from '../../base/abort';
import { Timer, deferred, delay } from '../../base/async';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Event } from '../../base/event';
import { registerCommands, setContextKey } from '../commands';
import { Command, ContextKey, Setting } from '../ids';
import { readSetting } from '../settings/readSetting';
import type { Logs } from '../logs';
import { type LastActions, msToRightMoment } from './moment';
import { type QuestionOutcome, QuestionWithdrawn } from '../../contracts/questionOutcome';
import { OpenForms } from './openForms';
import { QuestionQueue } from './queue';
import {
  type Question,
  type KeyClock,
  type KeyboardLeave,
  type QuietMoment,
  type Waiting,
  byUser,
} from './question';
import type { UserAction } from './question';
import { WantedStarts } from './wantedStarts';
import { chatInputScheme } from '../editorChat';
import { plainLabel, revealHidden } from '../../base/text/text';

/** At most this many waiting questions are named in the tooltip. */
const maxLines = 20;

/** Shows a status bar item that says how many questions wait unseen and for what, and that opens them. */
function createWaitingItem(queue: QuestionQueue): Disposable {
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
function unseenOf(waiting: readonly Waiting[]): readonly Waiting[] {
  return waiting.filter(({ state }) => state !== 'shown');
}

/** Says how many questions wait, as the status bar shows it. */
function waitingText(waiting: readonly Waiting[]): string {
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

function waitingLine({ server, what, since, state, recall }: Waiting): string {
  const time = new Date(since).toLocaleTimeString(vscode.env.language);
  const line = vscode.l10n.t('{0}: {1}, since {2}', plainLabel(server.name, 60), what, time);
  if (state !== 'elsewhere') return line;
  return recall
    ? vscode.l10n.t('{0} (open in an editor)', line)
    : vscode.l10n.t('{0} (waiting for your edit)', line);
}

/** Watches when the user last did something in a text editor or the chat; `noteOwn` records what they do with us. */
export function watchActions(
  now: () => number,
): Disposable & { readonly last: LastActions; noteOwn(): void } {
  const store = new DisposableStore();
  let editor = -Infinity;
  let chat = -Infinity;
  let ours = -Infinity;
  store.add(
    vscode.window.onDidChangeTextEditorSelection(({ kind, textEditor }) => {
      const byHand =
        kind === vscode.TextEditorSelectionChangeKind.Keyboard ||
        kind === vscode.TextEditorSelectionChangeKind.Mouse;
      if (byHand && textEditor.document.uri.scheme !== 'output') editor = now();
    }),
  );
  store.add(
    vscode.workspace.onDidChangeTextDocument(({ document }) => {
      if (document.uri.scheme !== chatInputScheme) return;
      // An empty box means that nobody is writing: the message was sent.
      const isEmpty = document.lineCount === 1 && document.lineAt(0).text === '';
      chat = isEmpty ? -Infinity : now();
    }),
  );
  return {
    last: {
      get elsewhere() {
        return Math.max(editor, chat);
      },
      get ours() {
        return ours;
      },
    },
    noteOwn: () => {
      ours = now();
    },
    dispose: () => store.dispose(),
  };
}

/** A user who has switched to a file or a terminal begins to type there within this many times `quietMs`. */
const settleFactor = 4;

/**
 * Brings back questions that something else has hidden. The editor does not say when its quick input is free, so this
 * watches for signs that it has led somewhere, such as to another editor or terminal. The user is not interrupted
 * there: `busyMs` returns for how many more milliseconds they are assumed to be typing.
 */
export function watchForComeback(
  queue: Pick<QuestionQueue, 'release'>,
  { quietMs }: Pick<KeyClock, 'quietMs'>,
  busyMs: () => number,
): Disposable {
  const store = new DisposableStore();
  const later = store.add(
    new Timer(() => {
      const ms = busyMs();
      if (ms > 0) later.start(ms);
      else queue.release();
    }),
  );
  const settle = () => later.start(settleFactor * quietMs);
  const { window } = vscode;
  store.add(window.onDidChangeActiveTextEditor(settle));
  store.add(window.tabGroups.onDidChangeTabs(settle));
  store.add(window.onDidChangeActiveNotebookEditor(settle));
  store.add(window.onDidChangeActiveTerminal(settle));
  store.add(
    window.onDidChangeWindowState(({ focused }) => {
      if (focused) queue.release();
    }),
  );
  return store;
}

/** How long users are assumed to keep watching for what they have asked for. */
const watchedMs = 2000;

/** The one place through which every decision of the user goes. */
export interface Questions {
  /** Asks the user a question when it is its turn; aborting `signal` withdraws it. */
  ask<T>(question: Question<T>, signal: AbortSignal): Promise<QuestionOutcome<T>>;
  /** See {@link OpenForms.once}. */
  readonly once: OpenForms['once'];
  /** Shows, with the keyboard, what an action of the user has asked or shown again since then (epoch ms), if it waits. */
  showAsked(since: number): void;
  /** Shows what a server's start waits for, if the user's own action caused that start. */
  showStart(serverId: string): void;
  /** Withdraws the forms of a server that was removed. */
  withdrawForms(serverId: string): void;
  /** Declines every question of a server that can be declined. */
  declineAll(serverId: string): void;
  /** The questions that wait and are not shown, and one sentence about them, which is empty if there are none. */
  readonly unseen: { readonly questions: readonly Waiting[]; readonly text: string };
  readonly onDidChange: Event<void>;
  /** True if a question is shown now; it has the keyboard. */
  readonly isAsking: boolean;
  /**
   * True if a question is shown now, or if since then (epoch ms) the user has worked in an editor or the chat, or has
   * had the time to turn to something that cannot be observed, such as a terminal. If the user has since answered the
   * server in a document of its question, the time counts from that answer.
   */
  turnedAway(since: number, serverId: string): boolean;
  /** An action of the user as leave to move the keyboard for what it led to; `undefined` if they have {@link turnedAway}. */
  stillBy(action: UserAction, serverId: string): UserAction | undefined;
  /**
   * Resolves with the action at once, or in the next pause if the user has worked elsewhere since: for what follows a
   * wait for others and can only be shown with the keyboard.
   */
  untilFree(action: UserAction): Promise<UserAction>;
  /** Leave to move the keyboard for something that the user did not ask for; `undefined` while they may be typing. */
  leave(): KeyboardLeave | undefined;
  /** Resolves at the next moment of {@link Questions.leave}; rejects when the signal aborts. */
  untilLeave(signal: AbortSignal): Promise<KeyboardLeave>;
  /** True if the user has worked in an editor or on a message to the chat since then, in epoch ms. */
  workedElsewhere(since: number): boolean;
  /**
   * Notes that the user did something with us, such as starting the server `startedId`: what follows may take the
   * keyboard.
   */
  noteAction(startedId?: string): void;
  /** Notes that the server's start has ended: later questions about the server are not part of it. */
  noteStarted(serverId: string): void;
}

/**
 * Makes the {@link Questions} of this window; disposing of it withdraws them all. `showDocument` brings a document to
 * the front in which a question is answered; false if there is none.
 */
export function createQuestions(
  logs: Logs,
  clock: KeyClock,
  showDocument: (action: UserAction) => Promise<boolean>,
): Disposable & Questions {
  const store = new DisposableStore();
  const actions = store.add(watchActions(clock.now));
  const starts = new WantedStarts(clock.now);
  const waitMs = () =>
    msToRightMoment(readSetting(Setting.showQuestions), actions.last, clock.now());
  const queue = new QuestionQueue({
    ...clock,
    mayShow: () => vscode.window.state.focused && waitMs() === 0,
  });
  const mayMove = () => vscode.window.state.focused && queue.view === undefined && waitMs() === 0;
  const leave = () => (mayMove() ? ({} as QuietMoment) : undefined);
  /** Resolves once there may be leave: after a pause, and whenever the window or the questions change. */
  const nextTry = async () => {
    const turn = deferred<void>();
    const watching = new DisposableStore();
    watching.add(vscode.window.onDidChangeWindowState(() => turn.resolve()));
    watching.add(queue.onDidChange(() => turn.resolve()));
    const ms = waitMs();
    if (ms > 0 && ms < Infinity) watching.add(new Timer(() => turn.resolve())).start(ms);
    await turn.promise.finally(() => watching.dispose());
  };
  const forms = new OpenForms(async (name) => {
    // A form that the user wants again.
    if (queue.showAgain(name) === 'elsewhere') await showDocument(byUser());
  });
  const workedElsewhere = (since: number) => actions.last.elsewhere > since;
  const turnedAway = (since: number, serverId: string) => {
    const from = Math.max(since, queue.answeredInDocumentAt(serverId));
    const isBusy = queue.view !== undefined || workedElsewhere(from);
    return isBusy || clock.now() - from > watchedMs;
  };
  const closed = new AbortController();
  store.add({ dispose: () => closed.abort(new QuestionWithdrawn('windowClosed')) });
  store.add(createWaitingItem(queue));
  store.add(
    watchForComeback(queue, clock, () => msToRightMoment('whenIdle', actions.last, clock.now())),
  );
  const idle = store.add(
    new Timer(() => {
      queue.advance();
      awaitIdle();
    }),
  );
  /** Shows what the user did not ask for once nobody is typing in an editor or the chat anymore. */
  const awaitIdle = () => {
    if (idle.pending || !queue.waiting.some(({ state }) => state === 'queued')) return;
    const ms = waitMs();
    if (ms > 0 && ms < Infinity) idle.start(ms);
  };
  store.add(queue.onDidChange(awaitIdle));
  const { executeCommand } = vscode.commands;
  store.add(queue.onDidChangeMode(() => void setContextKey(ContextKey.question, queue.mode)));
  store.add(
    registerCommands(logs, {
      [Command.showQuestions]: async (action: UserAction, serverId?: unknown) => {
        if (typeof serverId === 'string') return queue.showStart(serverId, { anew: true });
        if (queue.open() || (await showDocument(action))) return;
        void vscode.window.showInformationMessage(nothingToShow(queue.waiting));
      },
      [Command.acceptQuestion]: async () => {
        // Something else may already have the quick input when the key arrives.
        if (queue.view?.mode === 'decision') queue.view.enter();
        else await executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      },
      [Command.leaveQuestion]: async () => {
        if (queue.view) return queue.view.escape();
        await executeCommand('workbench.action.closeQuickOpen');
        queue.release();
      },
    }),
  );
  return {
    ask: async (question, signal) => {
      const { info } = question;
      const { kind, server } = info;
      const either = AbortSignal.any([signal, closed.signal]);
      const isWanted = starts.isAsked(kind, server.id);
      const wanted = isWanted ? { ...question, info: { ...info, asked: byUser() } } : question;
      const outcome = await queue.ask(wanted, either);
      if (isWanted && outcome.kind === 'answered') starts.note(server.id);
      return outcome;
    },
    once: (name, run) => forms.once(name, run),
    showAsked: (since) => queue.showAsked(since),
    showStart: (serverId) => {
      // What the user did elsewhere in the window after it was shown has taken the keyboard from it.
      if (starts.isAsked('trust', serverId))
        queue.showStart(serverId, { anew: actions.last.ours > queue.shownAt });
    },
    withdrawForms: (serverId) => queue.withdrawForms(serverId),
    declineAll: (serverId) => queue.declineAll(serverId),
    get unseen() {
      const questions = unseenOf(queue.waiting);
      return { questions, text: questions.length === 0 ? '' : waitingText(questions) };
    },
    onDidChange: queue.onDidChange,
    turnedAway,
    stillBy: (action, serverId) => (turnedAway(action.at, serverId) ? undefined : action),
    untilFree: async (action) => {
      while (workedElsewhere(action.at)) {
        const ms = msToRightMoment('whenIdle', actions.last, clock.now());
        if (ms === 0) break;
        await delay(ms);
      }
      return action;
    },
    get isAsking() {
      return queue.view !== undefined;
    },
    leave,
    untilLeave: async (signal) => {
      for (;;) {
        const now = leave();
        if (now) return now;
        await untilAborted(nextTry(), signal);
      }
    },
    workedElsewhere,
    noteAction: (startedId) => {
      actions.noteOwn();
      if (startedId === undefined) return;
      starts.note(startedId);
      // If its start is already under way, nothing new will be asked for it.
      queue.showStart(startedId);
    },
    noteStarted: (serverId) => starts.forget(serverId),
    dispose: () => store.dispose(),
  };
}

/**
 * Says why there is no question to show: none waits, or the user must first finish what they opened elsewhere for one.
 */
function nothingToShow([first]: readonly Waiting[]): string {
  const { t } = vscode.l10n;
  return first
    ? t(
        'Finish or cancel what "{0}" has opened, such as a dialog or a request of the browser.',
        first.what,
      )
    : t('No question waits for you.');
}
