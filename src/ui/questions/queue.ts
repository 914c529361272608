import { deferred, Throttle } from '../../base/async';
import { Emitter } from '../../base/event';
import {
  withdrawnBy,
  type AnsweredBy,
  type QuestionOutcome,
} from '../../contracts/questionOutcome';
import type { FormName } from './openForms';
import { byUser, type Question, type QuestionView } from './question';
import type { KeyClock, QuestionContext, QueuePlace, WaitingQuestion } from './question';
import {
  nextByItself,
  nextInTurn,
  nextState,
  waitingState,
  type QuestionEvent,
  type QueuedQuestion,
} from './turns';
import { StrayClicks } from './typing';
import { kindsOfStart } from './wantedStarts';

/** What is shown: a question (by its view's mode), something else in its place (`covered`), or nothing (empty). */
export type QuestionMode = QuestionView['mode'] | 'covered' | '';

/** The shortest time between two announcements of changes, too short for anybody to notice. */
const announceEveryMs = 20;

/**
 * All questions of the window, of which one is shown at a time. A question that something else hides keeps waiting;
 * only an answer or the end of its info ends it.
 */
export class QuestionQueue {
  private readonly changed = new Emitter<void>();
  /** Fires once for a burst of changes: every listener shows something about all questions that wait. */
  readonly onDidChange = this.changed.event;
  private readonly announcing = new Throttle(() => this.changed.fire(), announceEveryMs);
  private readonly modeChanged = new Emitter<void>();
  /** Fires at once: what keys do depends on it. */
  readonly onDidChangeMode = this.modeChanged.event;
  private told: QuestionMode = '';
  private readonly deps: KeyClock & {
    /** True if a question that the user did not ask for may take the keyboard now. */
    readonly mayShow: () => boolean;
    /** True if the user has worked elsewhere since then (epoch ms). */
    readonly workedElsewhere?: (since: number) => boolean;
  };
  private entries: readonly QueuedQuestion[] = [];
  private current: QueuedQuestion | undefined;
  private readonly clicks: StrayClicks<QueuedQuestion>;
  /** The server whose question was last answered in a document of its own, and when. */
  private inDocument = { serverId: '', at: -Infinity };
  /** True while something that is not ours has the quick input. */
  private covered = false;
  private lastShownAt = -Infinity;

  constructor(deps: QuestionQueue['deps']) {
    this.deps = deps;
    this.clicks = new StrayClicks(deps);
  }

  /** All questions that have not ended, in the order in which they came. */
  get waiting(): readonly WaitingQuestion[] {
    return this.entries.map(({ info, since, state }) => ({
      ...info,
      since,
      state: waitingState(state),
    }));
  }

  /** The view that is shown now. */
  get view(): QuestionView | undefined {
    return this.current?.view?.view;
  }

  /** What has the quick input now, as far as this queue knows. */
  get mode(): QuestionMode {
    return this.view?.mode ?? (this.covered ? 'covered' : '');
  }

  /** When a view was last shown with the keyboard, in epoch ms; `-Infinity` if none was yet. */
  get shownAt(): number {
    return this.lastShownAt;
  }

  /** Asks the user a question, which ends when `signal` aborts at the latest. */
  async ask<T>(
    { info, declined, ask }: Question<T>,
    signal: AbortSignal,
  ): Promise<QuestionOutcome<T>> {
    if (signal.aborted) return withdrawnBy(signal);
    const ended = deferred<QuestionOutcome<T>>();
    const over = new AbortController();
    let how: AnsweredBy = 'click';
    const since = this.deps.now();
    const entry: QueuedQuestion = {
      info,
      since,
      wantedAt: info.asked ? since : -Infinity,
      state: { kind: 'queued' },
      action: info.asked,
      view: undefined,
      attendedAt: since,
      begin: () => {
        const context = this.contextOf(entry, over.signal, (by) => {
          how = by;
          entry.action = byUser();
          if (by === 'click') this.clicks.clicked(entry);
        });
        ask(context).then(
          (answer) => ended.resolve({ kind: 'answered', answer, how }),
          (error: unknown) => ended.reject(error),
        );
      },
      decline:
        declined === undefined
          ? undefined
          : () => {
              // The user has just taken it away themselves.
              this.removeView(entry);
              ended.resolve({ kind: 'answered', answer: declined, how: 'click' });
            },
      withdraw: (outcome) => {
        this.forget([entry]);
        ended.resolve(outcome);
      },
    };
    const withdraw = () => entry.withdraw(withdrawnBy(signal));
    signal.addEventListener('abort', withdraw, { once: true });
    this.enqueue(entry);
    try {
      return await ended.promise;
    } finally {
      signal.removeEventListener('abort', withdraw);
      // It has shown no other view since it came back from there, so it was answered there.
      if (entry.state.kind === 'expected')
        this.inDocument = { serverId: info.server.id, at: this.deps.now() };
      this.leave(entry);
      over.abort();
      this.advance();
    }
  }

  /**
   * Shows, at the user's request, the next waiting question after the one that is shown; if no other waits, that one,
   * which may have lost the keyboard, or one that the user is looking at elsewhere; false if there is none.
   */
  open(): boolean {
    const next = nextInTurn(this.entries, this.current);
    this.covered = false;
    if (next) {
      this.showAnew(next);
      return true;
    }
    const looked = this.entries.find(({ info, state }) => state.kind === 'setAside' && info.recall);
    looked?.info.recall?.();
    return looked !== undefined;
  }

  /**
   * Shows one of the user's own forms again, with the keyboard, unless they are busy with it elsewhere; returns its
   * state before, `undefined` if it is not open.
   */
  showAgain({ server, form }: FormName): WaitingQuestion['state'] | undefined {
    const entry = this.entries.find(
      ({ info }) => info.server.id === server.id && info.form === form,
    );
    if (!entry) return undefined;
    const before = waitingState(entry.state);
    this.showAnew(entry);
    return before;
  }

  /**
   * Shows, with the keyboard, the last question that an action of the user has asked or shown again since `from` (epoch
   * ms), unless they are busy with it elsewhere.
   */
  showAsked(from: number): void {
    const wanted = this.entries.filter(({ wantedAt }) => wantedAt >= from);
    // Of those of the same millisecond, the last one.
    const entry = wanted.toSorted((a, b) => a.wantedAt - b.wantedAt).at(-1);
    if (entry) this.showAnew(entry);
  }

  /**
   * Shows what a server's start waits for, because the user wants it again; `anew` gives it the keyboard even if it is
   * already shown.
   */
  showStart(serverId: string, { anew = false } = {}): void {
    const entry = this.entries.find(
      ({ info: { kind, server, isFor } }) =>
        kindsOfStart.has(kind) && (server.id === serverId || isFor?.(serverId)),
    );
    if (entry?.state.kind === 'setAside') entry.info.recall?.();
    else if (entry && (anew || entry.state.kind !== 'shown')) this.showAnew(entry);
  }

  /** Withdraws the forms of a server that was removed. */
  withdrawForms(serverId: string): void {
    for (const { info, withdraw } of this.entries)
      if (info.form !== undefined && info.server.id === serverId)
        withdraw({ kind: 'withdrawn', reason: 'serverStopped' });
  }

  /**
   * Returns when the user last answered the server in a document of its question, in epoch ms; `-Infinity` if never, or
   * if another server was answered that way since.
   */
  answeredInDocumentAt(serverId: string): number {
    return this.inDocument.serverId === serverId ? this.inDocument.at : -Infinity;
  }

  /** Notes that nothing else has the quick input anymore, or that it may be the right moment now. */
  release(): void {
    this.covered = false;
    this.advance();
    this.notify();
  }

  /** Declines every question of a server that can be declined. */
  declineAll(serverId: string): void {
    const declined = this.entries.filter(
      ({ info, decline }) => info.server.id === serverId && decline,
    );
    this.forget(declined);
    for (const { decline } of declined) decline?.();
  }

  private notify(): void {
    const { mode } = this;
    if (mode !== this.told) {
      this.told = mode;
      this.modeChanged.fire();
    }
    this.announcing.run();
  }

  private enqueue(entry: QueuedQuestion): void {
    this.entries = [...this.entries, entry];
    // What others did before it was asked may have lasted any time.
    if (entry.action && this.deps.workedElsewhere?.(entry.action.at)) entry.action = undefined;
    if (entry.action) this.reveal(entry);
    else this.advance();
    this.notify();
  }

  /** Removes ended questions at once: if many end together, none of them is shown for the moment until its own end. */
  private forget(ended: readonly QueuedQuestion[]): void {
    this.entries = this.entries.filter((entry) => !ended.includes(entry));
  }

  private leave(entry: QueuedQuestion): void {
    this.forget([entry]);
    // What the user answers removes its view first.
    if (this.current === entry && entry.view) this.clicks.lost(entry);
    this.removeView(entry);
    if (this.current === entry) this.current = undefined;
    this.notify();
  }

  private showAnew(entry: QueuedQuestion): void {
    entry.wantedAt = this.deps.now();
    entry.action = byUser();
    if (entry.state.kind === 'setAside') return;
    // The editor gives the keyboard only to what was hidden before.
    if (this.current === entry) entry.view?.view.hide();
    this.reveal(entry);
    this.clicks.calledUp();
  }

  /** Shows a question now; the one that was shown waits ahead of all others. */
  private reveal(entry: QueuedQuestion): void {
    const { current } = this;
    this.covered = false;
    if (current && current !== entry) {
      if (current.view) this.clicks.lost(current);
      happened(current, 'displaced');
      current.view?.view.hide();
      this.current = undefined;
    }
    this.activate(entry, 'calledUp');
  }

  /** Shows the next question that may be shown now, if none is shown and nothing else has the quick input. */
  advance(): void {
    if (this.current || this.covered) return;
    const next = nextByItself(this.entries, () => this.deps.mayShow());
    if (next) this.activate(next, 'turnCame');
  }

  private activate(entry: QueuedQuestion, event: 'calledUp' | 'turnCame'): void {
    const isFirst = entry.state.kind === 'queued';
    this.current = entry;
    entry.attendedAt = this.deps.now();
    happened(entry, event);
    if (isFirst) entry.begin();
    else this.showView(entry);
    this.notify();
  }

  private showView(entry: QueuedQuestion): void {
    const { state, view } = entry;
    if (!view) return;
    happened(entry, 'drawn');
    this.lastShownAt = this.deps.now();
    this.clicks.shown(entry);
    view.view.show(state.kind === 'shown' && state.isUnsolicited);
  }

  private contextOf(
    entry: QueuedQuestion,
    signal: AbortSignal,
    acted: QuestionContext['acted'],
  ): QuestionContext {
    const takesClicks = () => this.clicks.areFor(entry);
    return {
      place: this.placeOf(entry),
      get wanted() {
        return entry.action;
      },
      clock: this.deps,
      signal,
      acted,
      get takesClicks() {
        return takesClicks();
      },
      present: (view) => {
        this.removeView(entry);
        const presented = { view, hidden: view.onDidHide(() => this.hidden(entry)) };
        entry.view = presented;
        const isCurrent = this.current === entry;
        const isDue = isCurrent || entry.state.kind === 'expected';
        // What it has waited for may have taken so long that the user has turned elsewhere.
        if (isDue && this.deps.workedElsewhere?.(entry.attendedAt))
          this.makeRoom(entry, 'turnedFrom');
        else if (isCurrent) this.showView(entry);
        else if (isDue) this.reveal(entry);
        this.notify();
        // The same view may have been presented again since.
        return { dispose: () => entry.view === presented && this.removeView(entry) };
      },
      makeRoom: () => this.makeRoom(entry, 'madeRoom'),
      setAside: async (work) => {
        this.makeRoom(entry, 'wasSetAside');
        this.removeView(entry);
        try {
          return await work();
        } finally {
          entry.attendedAt = this.deps.now();
          happened(entry, 'cameBack');
        }
      },
    };
  }

  private makeRoom(entry: QueuedQuestion, event: QuestionEvent): void {
    happened(entry, event);
    // Otherwise it would cover what the user turns to, and would not get the keyboard when it is shown again.
    entry.view?.view.hide();
    if (this.current === entry) this.current = undefined;
    this.advance();
    this.notify();
  }

  private removeView(entry: QueuedQuestion): void {
    entry.view?.hidden.dispose();
    if (entry.view) entry.attendedAt = this.deps.now();
    entry.view = undefined;
  }

  private hidden(entry: QueuedQuestion): void {
    if (this.current !== entry) return;
    happened(entry, 'covered');
    this.current = undefined;
    this.covered = true;
    this.notify();
  }

  private placeOf({ info: { server } }: QueuedQuestion): QueuePlace {
    const all = () => this.entries;
    return {
      get waiting() {
        return all().length;
      },
      get waitingOfServer() {
        // The user's own steps toward an answer are not questions of the server.
        return all().filter(({ info, decline }) => decline && info.server.id === server.id).length;
      },
      onDidChange: this.onDidChange,
      declineAll: () => this.declineAll(server.id),
    };
  }
}

/** Notes what happened to a question; what no longer has the user's attention no longer comes from their action. */
function happened(entry: QueuedQuestion, event: QuestionEvent): void {
  entry.state = nextState(entry.state, event);
  if (/^(?:covered|madeRoom|turnedFrom)$/.test(event)) entry.action = undefined;
}
