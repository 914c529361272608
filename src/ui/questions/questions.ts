import * as vscode from 'vscode';
import { Timer, deferred, delay, untilAborted } from '../../base/async';
import { type Disposable, DisposableStore } from '../../base/disposable';
import type { Event } from '../../base/event';
import { type Tracer, type Tracing, traced } from '../../base/tracing';
import { registerCommands, setContextKey } from '../commands';
import { Command, ContextKey, Setting } from '../ids';
import { readSetting } from '../settings/readSetting';
import type { Logs } from '../logs';
import {
  type KeyClock,
  type KeyboardPermit,
  type LastActions,
  type Question,
  type QuestionContext,
  type QuietMoment,
  type UserAction,
  type WaitingQuestion,
  byUser,
  msToRightMoment,
} from './question';
import { type QuestionOutcome, QuestionWithdrawn } from '../../contracts/questionOutcome';
import { OpenForms } from './openForms';
import { QuestionQueue } from './queue';
import { WantedStarts } from './wantedStarts';
import { boxSchemes } from '../editorChat';
import { createWaitingItem, nothingToShow, unseenOf, waitingText } from './waitingItem';
import { showMessage } from '../messages';

/** Watches when the user last did something in a text editor or such a box; `noteOwn` records what they do with us. */
export function watchActions(
  now: () => number,
): Disposable & { readonly last: LastActions; noteOwn(): void } {
  const store = new DisposableStore();
  let editor = -Infinity;
  const boxes = new Map<string, number>();
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
    vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
      const box = String(document.uri);
      if (!boxSchemes.has(document.uri.scheme)) return;
      // A message whose text has gone at once was sent, so that nobody is writing it any more.
      const isByLetter = contentChanges.some(({ rangeLength }) => rangeLength === 1);
      if (document.getText() === '' && !isByLetter) boxes.delete(box);
      else boxes.set(box, now());
    }),
  );
  return {
    last: {
      get elsewhere() {
        return Math.max(editor, ...boxes.values());
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

/** A server that the user has started, and the action by which they did. */
type StartedByHand = readonly [serverId: string, action: UserAction];

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
  readonly unseen: { readonly questions: readonly WaitingQuestion[]; readonly text: string };
  readonly onDidChange: Event<void>;
  /** True if a question is shown now; it has the keyboard. */
  readonly isAsking: boolean;
  /**
   * True if a question is shown now, or if since then (epoch ms) the user has worked in an editor or the chat, or has
   * had the time to turn to something that cannot be observed, such as a terminal. If the user has since answered the
   * server in a document of its question, the time counts from that answer.
   */
  turnedAway(since: number, serverId: string): boolean;
  /** An action of the user as the permit to move the keyboard for what it led to; `undefined` if they have {@link turnedAway}. */
  stillBy(action: UserAction, serverId: string): UserAction | undefined;
  /**
   * Resolves with the action at once, or in the next pause if the user has worked elsewhere since: for what follows a
   * wait for others and can only be shown with the keyboard.
   */
  untilFree(action: UserAction): Promise<UserAction>;
  /** The permit to move the keyboard for something that the user did not ask for; `undefined` while they may be typing. */
  permitNow(): KeyboardPermit | undefined;
  /** Resolves at the next moment of {@link Questions.permitNow}; rejects when the signal aborts. */
  untilPermitted(signal: AbortSignal): Promise<KeyboardPermit>;
  /** True if the user has worked in an editor or on a message to the chat since then, in epoch ms. */
  workedElsewhere(since: number): boolean;
  /**
   * Notes that the user did something with us, such as starting a server: what follows may take the keyboard, as long as
   * they do not work elsewhere.
   */
  noteAction(...started: StartedByHand | readonly []): void;
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
  showDocument: ShowDocument,
  tracing: Tracing = () => undefined,
): Disposable & Questions {
  return new WindowQuestions(logs, clock, showDocument, tracing);
}

/** Takes down how long a question waits and, from when it is first shown, how long the user takes, if traces are on. */
export async function tracedQuestion<T>(
  tracer: Tracer | undefined,
  question: Question<T>,
  ask: (question: Question<T>) => Promise<QuestionOutcome<T>>,
): Promise<QuestionOutcome<T>> {
  if (!tracer) return ask(question);
  const { kind, server, span: parent } = question.info;
  const attributes = {
    'mcp_workbench.question.kind': kind,
    ...(server.id !== '' && { 'mcp_workbench.server.name': server.name }),
  };
  let shownAt: number | undefined;
  const shown = (context: QuestionContext) => {
    shownAt = performance.now();
    return question.ask(context);
  };
  return traced(
    tracer,
    { name: `mcp_workbench.question ${kind}`, kind: 'internal', parent, attributes },
    () => ask({ ...question, ask: shown }),
    ({ kind: outcome }) => ({
      attributes: {
        'mcp_workbench.outcome': outcome,
        'mcp_workbench.user_seconds':
          shownAt === undefined ? undefined : (performance.now() - shownAt) / 1000,
      },
    }),
  );
}

type ShowDocument = (action: UserAction) => Promise<boolean>;

class WindowQuestions implements Questions, Disposable {
  private readonly store = new DisposableStore();
  private readonly clock: KeyClock;
  private readonly showDocument: ShowDocument;
  private readonly tracing: Tracing;
  private readonly actions: ReturnType<typeof watchActions>;
  private readonly starts: WantedStarts;
  private readonly queue: QuestionQueue;
  private readonly forms: OpenForms;
  /** Shows what the user did not ask for once nobody is typing in an editor or the chat anymore. */
  private readonly idle: Timer;
  private readonly closed = new AbortController();

  constructor(logs: Logs, clock: KeyClock, showDocument: ShowDocument, tracing: Tracing) {
    this.tracing = tracing;
    this.clock = clock;
    this.showDocument = showDocument;
    const { store } = this;
    this.actions = store.add(watchActions(clock.now));
    const workedElsewhere = (since: number) => this.workedElsewhere(since);
    this.starts = new WantedStarts(clock.now, workedElsewhere);
    const queue = new QuestionQueue({ ...clock, mayShow: this.isRightMoment, workedElsewhere });
    this.queue = queue;
    this.forms = new OpenForms(async (name) => {
      // A form that the user wants again.
      if (queue.showAgain(name) === 'setAside') await showDocument(byUser());
    });
    store.add({ dispose: () => this.closed.abort(new QuestionWithdrawn('windowClosed')) });
    store.add(createWaitingItem(queue));
    store.add(watchForComeback(queue, clock, () => this.busyMs));
    this.idle = store.add(
      new Timer(() => {
        queue.advance();
        this.awaitIdle();
      }),
    );
    store.add(queue.onDidChange(() => this.awaitIdle()));
    store.add(queue.onDidChangeMode(() => void setContextKey(ContextKey.question, queue.mode)));
    store.add(this.registerCommands(logs));
  }

  private registerCommands(logs: Logs): Disposable {
    const { queue } = this;
    const { executeCommand } = vscode.commands;
    return registerCommands(logs, {
      [Command.showQuestions]: async (action: UserAction, serverId?: unknown) => {
        if (typeof serverId === 'string') return queue.showStart(serverId, { anew: true });
        if (queue.open() || (await this.showDocument(action))) return;
        void showMessage('info', nothingToShow(queue.waiting));
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
    });
  }

  async ask<T>(question: Question<T>, signal: AbortSignal): Promise<QuestionOutcome<T>> {
    const { queue, starts } = this;
    const { info } = question;
    const { kind, server } = info;
    const either = AbortSignal.any([signal, this.closed.signal]);
    const action = starts.actionFor(kind, server.id);
    const isOfStart = starts.isAsked(kind, server.id);
    const wanted = action ? { ...question, info: { ...info, asked: action } } : question;
    const outcome = await tracedQuestion(this.tracing(), wanted, (one) => queue.ask(one, either));
    if (isOfStart && outcome.kind === 'answered') starts.note(server.id, byUser());
    return outcome;
  }

  readonly once: OpenForms['once'] = (name, run) => this.forms.once(name, run);

  showAsked(since: number): void {
    this.queue.showAsked(since);
  }

  showStart(serverId: string): void {
    const { queue, actions } = this;
    // What the user did elsewhere in the window after it was shown has taken the keyboard from it.
    if (this.starts.actionFor('trust', serverId))
      queue.showStart(serverId, { anew: actions.last.ours > queue.shownAt });
  }

  withdrawForms(serverId: string): void {
    this.queue.withdrawForms(serverId);
  }

  declineAll(serverId: string): void {
    this.queue.declineAll(serverId);
  }

  get unseen(): Questions['unseen'] {
    const questions = unseenOf(this.queue.waiting);
    return { questions, text: questions.length === 0 ? '' : waitingText(questions) };
  }

  get onDidChange(): Event<void> {
    return this.queue.onDidChange;
  }

  get isAsking(): boolean {
    return this.queue.view !== undefined;
  }

  workedElsewhere(since: number): boolean {
    return this.actions.last.elsewhere > since;
  }

  turnedAway(since: number, serverId: string): boolean {
    const from = Math.max(since, this.queue.answeredInDocumentAt(serverId));
    const isBusy = this.isAsking || this.workedElsewhere(from);
    return isBusy || this.clock.now() - from > watchedMs;
  }

  stillBy(action: UserAction, serverId: string): UserAction | undefined {
    return this.turnedAway(action.at, serverId) ? undefined : action;
  }

  /** For how many milliseconds the user is assumed to be typing elsewhere. */
  private get busyMs(): number {
    return msToRightMoment('whenIdle', this.actions.last, this.clock.now());
  }

  /** In how many milliseconds what the user did not ask for may come up, as they want it. */
  private get waitMs(): number {
    return msToRightMoment(readSetting(Setting.showQuestions), this.actions.last, this.clock.now());
  }

  private readonly isRightMoment = () => vscode.window.state.focused && this.waitMs === 0;

  private awaitIdle(): void {
    if (this.idle.pending || !this.queue.waiting.some(({ state }) => state === 'queued')) return;
    const ms = this.waitMs;
    if (ms > 0 && ms < Infinity) this.idle.start(ms);
  }

  async untilFree(action: UserAction): Promise<UserAction> {
    while (this.workedElsewhere(action.at)) {
      const ms = this.busyMs;
      if (ms === 0) break;
      await delay(ms);
    }
    return action;
  }

  permitNow(): KeyboardPermit | undefined {
    return !this.isAsking && this.isRightMoment() ? ({} as QuietMoment) : undefined;
  }

  async untilPermitted(signal: AbortSignal): Promise<KeyboardPermit> {
    for (;;) {
      const now = this.permitNow();
      if (now) return now;
      await untilAborted(this.nextTry(), signal);
    }
  }

  /** Resolves once there may be a permit: after a pause, and whenever the window or the questions change. */
  private async nextTry(): Promise<void> {
    const turn = deferred<void>();
    const watching = new DisposableStore();
    watching.add(vscode.window.onDidChangeWindowState(() => turn.resolve()));
    watching.add(this.queue.onDidChange(() => turn.resolve()));
    const ms = this.waitMs;
    if (ms > 0 && ms < Infinity) watching.add(new Timer(() => turn.resolve())).start(ms);
    await turn.promise.finally(() => watching.dispose());
  }

  noteAction(...started: StartedByHand | readonly []): void {
    if (started.length === 0) return this.actions.noteOwn();
    const [serverId, action] = started;
    this.starts.note(serverId, action);
    // What stood between the two, such as the end of the one that ran, may have lasted any time.
    if (this.workedElsewhere(action.at)) return;
    this.actions.noteOwn();
    // If its start is already under way, nothing new will be asked for it.
    this.queue.showStart(serverId);
  }

  noteStarted(serverId: string): void {
    this.starts.forget(serverId);
  }

  dispose(): void {
    this.store.dispose();
  }
}
