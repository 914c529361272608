import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/event';
import type { AnsweredBy } from '../../contracts/questionOutcome';

/** What a question is about; the words that count those that wait depend on it. */
export type QuestionKind =
  'call' | 'trust' | 'input' | 'signIn' | 'sampling' | 'elicitation' | 'form';

/** Who waits for the user, and for what. */
export interface Cause {
  readonly kind: QuestionKind;
  /** The server that waits, or is what the question is about. */
  readonly server: { readonly id: string; readonly name: string };
  /** What the user is to decide, in a few words. */
  readonly what: string;
  /** True where the user's own action asked for it, so that it may take the keyboard at once. */
  readonly asked: boolean;
  /** Of a form that the user may want again while it waits: which one it is of its server, as `tool/echo`. */
  readonly form?: string;
  /** Of a call that an answer in the chat waits for: which answer. */
  readonly answer?: string;
  /** Of a question that several servers wait for: whether that one does. */
  readonly isFor?: (serverId: string) => boolean;
  /** Ends what the user does elsewhere for it, so that it is shown again. */
  readonly recall?: () => void;
}

/**
 * What a question looks like at the moment: one quick pick or input box. The same one is shown again
 * after something else was in its place.
 */
export interface Face {
  /** Whether typed text is part of the answer; in a decision it never is. */
  readonly mode: 'decision' | 'form';
  /** Shows it with the keyboard; `isSudden` where the user did nothing for that, and may be typing for something else. */
  show(isSudden: boolean): void;
  /** Takes it away without {@link Face.onDidHide}. */
  hide(): void;
  /** Fires when it was taken away by something else than `hide`. */
  readonly onDidHide: Event<void>;
  enter(): void;
  escape(): void;
}

/** See {@link Stage.clock}. */
export interface KeyClock {
  readonly now: () => number;
  readonly quietMs: number;
  /** Calls back once the editor has drawn what it was told to show. */
  readonly whenDrawn: (then: () => void) => void;
}

/** Where a question stands among those that wait. */
export interface QueuePlace {
  /** How many wait, this one included. */
  readonly waiting: number;
  /** How many of them are of the same server and can be declined. */
  readonly waitingOfServer: number;
  readonly onDidChange: Event<void>;
  /** Declines this one and all that wait of its server. */
  declineAll(): void;
}

/** What a question has while it is asked. */
export interface Stage {
  readonly place: QueuePlace;
  /** True where the user's own action brought it up: what it opens may take the keyboard. */
  readonly isWanted: boolean;
  /** Aborts when the question has ended, whatever ended it. */
  readonly signal: AbortSignal;
  /** Shows a face when it is the question's turn, until the returned is disposed. */
  present(face: Face): Disposable;
  /** Takes the face away until the user calls the question. */
  makeRoom(): void;
  /** Takes the face away and runs what the user does elsewhere, in a document say, while other questions may be shown. */
  elsewhere<T>(work: () => Promise<T>): Promise<T>;
  /** What keys go by: they decide nothing for some milliseconds after a face was shown. */
  readonly clock: KeyClock;
  /** False while a click may be the second one of a double click on the question before. */
  readonly takesClicks: boolean;
  /** Remembers by what the user acted last. */
  acted(how: AnsweredBy): void;
}

/** A question; `ask` gives the answer and is dropped when the stage's signal aborts. */
export interface Asking<T> {
  readonly cause: Cause;
  /** What it means that the user declined all of the server; absent where that cannot be. */
  readonly declined?: T;
  readonly ask: (stage: Stage) => Promise<T>;
}

/** A question that waits, for those who tell of it. */
export interface Waiting extends Cause {
  /** Epoch ms. */
  readonly since: number;
  readonly state: 'queued' | 'shown' | 'hidden' | 'elsewhere';
}
