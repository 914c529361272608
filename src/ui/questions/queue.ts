import { deferred } from '../../base/async';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import {
  withdrawnBy,
  type AnsweredBy,
  type QuestionOutcome,
} from '../../contracts/questionOutcome';
import type { Asking, Cause, Face, KeyClock, Place, Stage, Waiting } from './stage';

interface Entry {
  readonly cause: Cause;
  readonly since: number;
  state: Waiting['state'];
  /** The user opened it, so that it needs no right moment. */
  opened: boolean;
  /** It has come back by itself once: from now on the user calls it. */
  returned: boolean;
  /** The user came back from elsewhere and expects it to be shown. */
  expected: boolean;
  face: { readonly face: Face; readonly hidden: Disposable } | undefined;
  begin: (() => void) | undefined;
  readonly decline: (() => void) | undefined;
}

/**
 * All questions of the window, one shown at a time. What something else hides goes on waiting; only an
 * answer or the end of its cause ends a question.
 */
export class QuestionQueue {
  private readonly changed = new Emitter<void>();
  readonly onDidChange = this.changed.event;
  private readonly deps: KeyClock & {
    /** Whether a question that the user did not ask for may take the keyboard now. */
    readonly mayShow: (cause: Cause) => boolean;
  };
  private entries: readonly Entry[] = [];
  private current: Entry | undefined;
  /** Something that is not ours has the quick input. */
  private covered = false;

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

  /** True while something else has the place of a question that was shown. */
  get isCovered(): boolean {
    return this.covered;
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
    const entry: Entry = {
      cause,
      since: this.deps.now(),
      state: 'queued',
      opened: cause.asked,
      returned: false,
      expected: false,
      face: undefined,
      begin: () => {
        const stage = this.stageOf(entry, over.signal, (by) => (how = by));
        ask(stage).then(
          (answer) => ended.resolve({ kind: 'answered', answer, how }),
          (error: unknown) => ended.reject(error),
        );
      },
      decline:
        declined === undefined
          ? undefined
          : () => ended.resolve({ kind: 'answered', answer: declined, how: 'click' }),
    };
    const withdraw = () => ended.resolve(withdrawnBy(signal));
    signal.addEventListener('abort', withdraw, { once: true });
    this.enter(entry);
    try {
      return await ended.promise;
    } finally {
      signal.removeEventListener('abort', withdraw);
      this.leave(entry);
      over.abort();
      this.advance();
    }
  }

  /** Shows the first that waits, or the next one behind that which is shown, because the user wants to. */
  open(): void {
    const waits = this.entries.filter(({ state }) => state === 'queued' || state === 'hidden');
    this.covered = false;
    const [next] = waits;
    if (next) this.bringUp(next);
  }

  /** Says that nothing else has the quick input any more, or that it may be the right moment now. */
  free(): void {
    this.covered = false;
    this.advance();
    this.changed.fire();
  }

  /** Declines everything that waits of a server and can be declined. */
  declineAll(serverId: string): void {
    for (const { cause, decline } of this.entries) if (cause.server.id === serverId) decline?.();
  }

  private enter(entry: Entry): void {
    this.entries = [...this.entries, entry];
    if (entry.cause.asked) this.bringUp(entry);
    else this.advance();
    this.changed.fire();
  }

  private leave(entry: Entry): void {
    this.entries = this.entries.filter((other) => other !== entry);
    this.removeFace(entry);
    if (this.current === entry) this.current = undefined;
    this.changed.fire();
  }

  /** Shows one now; that which is shown waits before all others. */
  private bringUp(entry: Entry): void {
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
    this.put(entry);
  }

  private advance(): void {
    if (this.current || this.covered) return;
    const isReviewing = this.entries.some(
      ({ state, cause }) => state === 'elsewhere' && cause.kind === 'sampling',
    );
    const ready = this.entries.filter(
      ({ state, cause, opened, returned }) =>
        (state === 'hidden' && (opened || !returned)) ||
        (state === 'queued' &&
          // One request is reviewed at a time: each is a document.
          !(isReviewing && cause.kind === 'sampling') &&
          (opened || this.deps.mayShow(cause))),
    );
    const next = ready.find(({ state }) => state === 'hidden') ?? ready[0];
    if (next) this.put(next);
  }

  private put(entry: Entry): void {
    this.current = entry;
    if (entry.state === 'hidden') entry.returned = true;
    entry.expected = false;
    entry.state = 'shown';
    const { begin } = entry;
    entry.begin = undefined;
    if (begin) begin();
    else entry.face?.face.show();
    this.changed.fire();
  }

  private stageOf(entry: Entry, signal: AbortSignal, acted: Stage['acted']): Stage {
    return {
      place: this.sourceKey(entry),
      clock: this.deps,
      signal,
      acted,
      present: (face) => {
        this.removeFace(entry);
        entry.face = { face, hidden: face.onDidHide(() => this.hidden(entry)) };
        if (this.current === entry) face.show();
        else if (entry.expected) this.bringUp(entry);
        this.changed.fire();
        return { dispose: () => entry.face?.face === face && this.removeFace(entry) };
      },
      elsewhere: async (work) => {
        entry.state = 'elsewhere';
        this.removeFace(entry);
        if (this.current === entry) this.current = undefined;
        this.advance();
        this.changed.fire();
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

  private removeFace(entry: Entry): void {
    entry.face?.hidden.dispose();
    entry.face = undefined;
  }

  private hidden(entry: Entry): void {
    if (this.current !== entry) return;
    entry.state = 'hidden';
    entry.opened = false;
    this.current = undefined;
    this.covered = true;
    this.changed.fire();
  }

  private sourceKey({ cause: { server } }: Entry): Place {
    const all = () => this.entries;
    return {
      get waiting() {
        return all().length;
      },
      get waitingOfServer() {
        return all().filter(({ cause }) => cause.server.id === server.id).length;
      },
      onDidChange: this.onDidChange,
      declineAll: () => this.declineAll(server.id),
    };
  }
}
