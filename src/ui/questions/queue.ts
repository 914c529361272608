import { deferred, Throttle } from '../../base/async';
import { Emitter } from '../../base/event';
import {
  withdrawnBy,
  type AnsweredBy,
  type QuestionOutcome,
} from '../../contracts/questionOutcome';
import type { FormName } from './openForms';
import type { Asking, Face, KeyClock, QueuePlace, Stage, Waiting } from './stage';
import { nextByItself, nextInTurn, type QueuedQuestion } from './turns';
import { kindsOfStart } from './wantedStarts';

/** What is shown: a question by the mode of its face, something else in the place of one, or none. */
export type QuestionMode = Face['mode'] | 'covered' | '';

/** Shorter than anybody sees. */
const announceEveryMs = 20;

/**
 * All questions of the window, one shown at a time. What something else hides goes on waiting; only an
 * answer or the end of its cause ends a question.
 */
export class QuestionQueue {
  private readonly changed = new Emitter<void>();
  /** A burst of changes is told of once: all who listen show something of all that waits. */
  readonly onDidChange = this.changed.event;
  private readonly announcing = new Throttle(() => this.changed.fire(), announceEveryMs);
  private readonly modeChanged = new Emitter<void>();
  /** Fires at once: what keys do depends on it. */
  readonly onDidChangeMode = this.modeChanged.event;
  private told: QuestionMode = '';
  private readonly deps: KeyClock & {
    /** Whether a question that the user did not ask for may take the keyboard now. */
    readonly mayShow: () => boolean;
  };
  private entries: readonly QueuedQuestion[] = [];
  private current: QueuedQuestion | undefined;
  /** What was clicked last, and when. */
  private clicked: { readonly entry: QueuedQuestion; readonly at: number } | undefined;
  /** Whose question was answered last in a document of its own, and when. */
  private inDocument = { serverId: '', at: -Infinity };
  /** Something that is not ours has the quick input. */
  private covered = false;
  private lastShownAt = -Infinity;

  constructor(deps: QuestionQueue['deps']) {
    this.deps = deps;
  }

  /** All that wait, in the order in which they are shown. */
  get waiting(): readonly Waiting[] {
    return this.entries.map(({ cause, since, state }) => ({ ...cause, since, state }));
  }

  /** The face that is shown now. */
  get face(): Face | undefined {
    return this.current?.face?.face;
  }

  /** What has the quick input now, as far as questions know. */
  get mode(): QuestionMode {
    return this.face?.mode ?? (this.covered ? 'covered' : '');
  }

  /** When a face was last shown with the keyboard, in epoch ms; `-Infinity` before. */
  get shownAt(): number {
    return this.lastShownAt;
  }

  /** Puts a question to the user, at the latest when `signal` aborts it ends. */
  async ask<T>(
    { cause, declined, ask }: Asking<T>,
    signal: AbortSignal,
  ): Promise<QuestionOutcome<T>> {
    if (signal.aborted) return withdrawnBy(signal);
    const ended = deferred<QuestionOutcome<T>>();
    const over = new AbortController();
    let how: AnsweredBy = 'click';
    const entry: QueuedQuestion = {
      cause,
      since: this.deps.now(),
      state: 'queued',
      opened: cause.asked,
      returned: false,
      expected: false,
      isSudden: false,
      face: undefined,
      begin: () => {
        const stage = this.stageOf(entry, over.signal, (by) => {
          how = by;
          if (by === 'click') this.clicked = { entry, at: this.deps.now() };
        });
        ask(stage).then(
          (answer) => ended.resolve({ kind: 'answered', answer, how }),
          (error: unknown) => ended.reject(error),
        );
      },
      decline:
        declined === undefined
          ? undefined
          : () => ended.resolve({ kind: 'answered', answer: declined, how: 'click' }),
      withdraw: (outcome) => {
        this.forget([entry]);
        ended.resolve(outcome);
      },
    };
    const withdraw = () => entry.withdraw(withdrawnBy(signal));
    signal.addEventListener('abort', withdraw, { once: true });
    this.enter(entry);
    try {
      return await ended.promise;
    } finally {
      signal.removeEventListener('abort', withdraw);
      // Since it came back from there, no other face of it was shown.
      if (entry.expected) this.inDocument = { serverId: cause.server.id, at: this.deps.now() };
      this.leave(entry);
      over.abort();
      this.advance();
    }
  }

  /**
   * Shows, because the user wants to, the next that waits behind the one that is shown, in turn; where no other waits,
   * that one, which may have lost the keyboard, or one that the user looks at elsewhere. False where there is none.
   */
  open(): boolean {
    const next = nextInTurn(this.entries, this.current);
    this.covered = false;
    if (next) {
      this.showAnew(next);
      return true;
    }
    const looked = this.entries.find(({ cause, state }) => state === 'elsewhere' && cause.recall);
    looked?.cause.recall?.();
    return looked !== undefined;
  }

  /** Shows a form of the user's own, which they want again, with the keyboard, unless they are elsewhere for it; tells its state before. */
  showAgain({ server, form }: FormName): Waiting['state'] | undefined {
    const entry = this.entries.find(
      ({ cause }) => cause.server.id === server.id && cause.form === form,
    );
    const state = entry?.state;
    if (entry) this.showAnew(entry);
    return state;
  }

  /** Shows, because the user wants to, the next in turn of those that an answer in the chat waits for, unless they are elsewhere for it; tells its state before. */
  showOfAnswer(answer: string): Waiting['state'] | undefined {
    const own = this.entries.filter(({ cause }) => cause.answer === answer);
    const current = own.find((entry) => entry === this.current);
    const entry = nextInTurn(own, current) ?? own[0];
    const state = entry?.state;
    if (entry) this.showAnew(entry);
    return state;
  }

  /** Shows the last that an action of the user has asked since, in epoch ms, with the keyboard, unless they are elsewhere for it. */
  showAsked(from: number): void {
    const entry = this.entries.findLast(({ cause, since }) => cause.asked && since >= from);
    if (entry) this.showAnew(entry);
  }

  /** Shows what the start of a server waits for, because the user wants it again; with `anew` it gets the keyboard even where it is shown. */
  showStart(serverId: string, { anew = false } = {}): void {
    const entry = this.entries.find(
      ({ cause: { kind, server, isFor } }) =>
        kindsOfStart.has(kind) && (server.id === serverId || isFor?.(serverId)),
    );
    if (entry?.state === 'elsewhere') entry.cause.recall?.();
    else if (entry && (anew || entry.state !== 'shown')) this.showAnew(entry);
  }

  /** Takes back the forms of a server that was taken out. */
  withdrawForms(serverId: string): void {
    for (const { cause, withdraw } of this.entries)
      if (cause.form !== undefined && cause.server.id === serverId)
        withdraw({ kind: 'withdrawn', reason: 'serverStopped' });
  }

  /** When the user last answered the server in a document of its question, in epoch ms, where nobody was answered in one since; else `-Infinity`. */
  answeredInDocumentAt(serverId: string): number {
    return this.inDocument.serverId === serverId ? this.inDocument.at : -Infinity;
  }

  /** Says that nothing else has the quick input any more, or that it may be the right moment now. */
  free(): void {
    this.covered = false;
    this.advance();
    this.tell();
  }

  /** Declines everything that waits of a server and can be declined. */
  declineAll(serverId: string): void {
    const declined = this.entries.filter(
      ({ cause, decline }) => cause.server.id === serverId && decline,
    );
    this.forget(declined);
    for (const { decline } of declined) decline?.();
  }

  private tell(): void {
    const { mode } = this;
    if (mode !== this.told) {
      this.told = mode;
      this.modeChanged.fire();
    }
    this.announcing.run();
  }

  private enter(entry: QueuedQuestion): void {
    this.entries = [...this.entries, entry];
    if (entry.cause.asked) this.bringUp(entry);
    else this.advance();
    this.tell();
  }

  /** At once: where many end together, none of them is put to the user for the moment until its own end. */
  private forget(ended: readonly QueuedQuestion[]): void {
    this.entries = this.entries.filter((entry) => !ended.includes(entry));
  }

  private leave(entry: QueuedQuestion): void {
    this.forget([entry]);
    this.removeFace(entry);
    if (this.current === entry) this.current = undefined;
    this.tell();
  }

  private showAnew(entry: QueuedQuestion): void {
    if (entry.state === 'elsewhere') return;
    // The editor gives the keyboard only to what it shows anew.
    if (this.current === entry) entry.face?.face.hide();
    this.bringUp(entry);
  }

  /** Shows one now; that which is shown waits before all others. */
  private bringUp(entry: QueuedQuestion): void {
    const { current } = this;
    entry.opened = true;
    this.covered = false;
    if (current && current !== entry) {
      current.state = 'hidden';
      // The user was looking at it: it comes back as soon as there is room.
      current.opened = true;
      current.face?.face.hide();
      this.current = undefined;
    }
    this.put(entry, { isSudden: false });
  }

  /** Shows the next one that may be shown now, where none is and nothing else has the quick input. */
  advance(): void {
    if (this.current || this.covered) return;
    const next = nextByItself(this.entries, () => this.deps.mayShow());
    if (next) this.put(next, { isSudden: true });
  }

  private put(entry: QueuedQuestion, { isSudden }: { readonly isSudden: boolean }): void {
    this.current = entry;
    entry.isSudden = isSudden;
    if (entry.state === 'hidden') entry.returned = true;
    entry.expected = false;
    entry.state = 'shown';
    const { begin } = entry;
    entry.begin = undefined;
    if (begin) begin();
    else this.showFace(entry);
    this.tell();
  }

  private showFace(entry: QueuedQuestion): void {
    if (!entry.face) return;
    const { isSudden } = entry;
    entry.isSudden = false;
    this.lastShownAt = this.deps.now();
    entry.face.face.show(isSudden);
  }

  private stageOf(entry: QueuedQuestion, signal: AbortSignal, acted: Stage['acted']): Stage {
    const takesClicks = () => {
      const { clicked, deps } = this;
      if (!clicked || clicked.entry === entry) return true;
      return deps.now() - clicked.at >= deps.quietMs / 2;
    };
    return {
      place: this.placeOf(entry),
      get isWanted() {
        return entry.opened;
      },
      clock: this.deps,
      signal,
      acted,
      get takesClicks() {
        return takesClicks();
      },
      present: (face) => {
        this.removeFace(entry);
        const presented = { face, hidden: face.onDidHide(() => this.hidden(entry)) };
        entry.face = presented;
        if (this.current === entry) this.showFace(entry);
        else if (entry.expected) this.bringUp(entry);
        this.tell();
        // The same face may have been presented anew since.
        return { dispose: () => entry.face === presented && this.removeFace(entry) };
      },
      makeRoom: () => {
        entry.state = 'hidden';
        entry.opened = false;
        entry.returned = true;
        this.makeRoom(entry);
      },
      elsewhere: async (work) => {
        entry.state = 'elsewhere';
        this.makeRoom(entry);
        this.removeFace(entry);
        try {
          return await work();
        } finally {
          entry.state = 'hidden';
          entry.opened = true;
          entry.expected = true;
        }
      },
    };
  }

  private makeRoom(entry: QueuedQuestion): void {
    // Else it would lie above what the user turns to, and the editor would not give it the keyboard when it is shown again.
    entry.face?.face.hide();
    if (this.current === entry) this.current = undefined;
    this.advance();
    this.tell();
  }

  private removeFace(entry: QueuedQuestion): void {
    entry.face?.hidden.dispose();
    entry.face = undefined;
  }

  private hidden(entry: QueuedQuestion): void {
    if (this.current !== entry) return;
    entry.state = 'hidden';
    entry.opened = false;
    this.current = undefined;
    this.covered = true;
    this.tell();
  }

  private placeOf({ cause: { server } }: QueuedQuestion): QueuePlace {
    const all = () => this.entries;
    return {
      get waiting() {
        return all().length;
      },
      get waitingOfServer() {
        // The user's own steps on the way to an answer are no questions of the server.
        return all().filter(({ cause, decline }) => decline && cause.server.id === server.id)
          .length;
      },
      onDidChange: this.onDidChange,
      declineAll: () => this.declineAll(server.id),
    };
  }
}
