import type { Disposable } from '../../base/disposable';
import type { Event } from '../../base/event';
import type { Proof } from '../../base/proof';
import type { SpanContext } from '../../base/tracing';
import type { AnsweredBy, UserAction } from '../../contracts/questionOutcome';

/** The settings for when questions that the user did not ask for take the keyboard. */
export const showModes = ['whenIdle', 'always', 'never'] as const;

/** One of {@link showModes}. */
type ShowMode = (typeof showModes)[number];

/** After this long without a key or click in an editor or the chat, nobody is assumed to be typing there. */
const idleMs = 5000;

/**
 * When the user last did something, in epoch ms: `elsewhere` in a text editor or on a message to the chat, `ours` with
 * this extension or `@mcp`.
 */
export interface LastActions {
  readonly elsewhere: number;
  readonly ours: number;
}

/**
 * Returns in how many milliseconds a question may come up without taking keys meant for something else: 0 for now,
 * `Infinity` if it waits for the user.
 */
export function msToRightMoment(
  mode: ShowMode,
  { elsewhere, ours }: LastActions,
  now: number,
): number {
  if (mode !== 'whenIdle') return mode === 'always' ? 0 : Infinity;
  return elsewhere <= ours ? 0 : Math.max(0, elsewhere + idleMs - now);
}

/** What a question is about; the words that count waiting questions depend on it. */
export type QuestionKind =
  'call' | 'trust' | 'input' | 'signIn' | 'sampling' | 'elicitation' | 'form';

export type { UserAction };

/** All actions of this window. */
const made = new WeakSet<object>();

/** Makes a {@link UserAction} where the user has just acted; a rule of the linter names the places that may. */
export function byUser(): UserAction {
  const action = { at: Date.now() } as UserAction;
  made.add(action);
  return action;
}

/** True for an action that was handed on as it was made, and for nothing that others could write. */
export function isUserAction(value: unknown): value is UserAction {
  return typeof value === 'object' && value !== null && made.has(value);
}

/** A moment at which nobody types in this window, as far as can be seen: only the queue of questions finds one. */
export type QuietMoment = Proof<'quiet'>;

/** What moves the keyboard needs one of these, so that nothing that others caused takes it in the middle of a word. */
export type KeyboardPermit = UserAction | QuietMoment;

/** Who waits for the user, and for what. */
export interface QuestionInfo {
  readonly kind: QuestionKind;
  /** The server that waits, or that the question is about. */
  readonly server: { readonly id: string; readonly name: string };
  /** What the user is to decide, in a few words. */
  readonly what: string;
  /** Present if the user's own action caused it, so that it may take the keyboard at once. */
  readonly asked?: UserAction | undefined;
  /** For a form that the user may want again while it waits: its name within the server, such as `tool/echo`. */
  readonly form?: string;
  /** For a question that several servers wait for: true if this server is one of them. */
  readonly isFor?: (serverId: string) => boolean;
  /** What it is a part of, in traces. */
  readonly span?: SpanContext | undefined;
  /** Ends what the user is doing elsewhere for it, so that it is shown again. */
  readonly recall?: () => void;
}

/**
 * What a question looks like at the moment: a quick pick or an input box, which is shown again after something else
 * took its place.
 */
export interface QuestionView {
  /** Whether typed text can be part of the answer; in a decision it never is. */
  readonly mode: 'decision' | 'form';
  /** Shows it with the keyboard; `isUnsolicited` if the user did not cause that and may be typing for something else. */
  show(isUnsolicited: boolean): void;
  /** Hides it without firing {@link QuestionView.onDidHide}. */
  hide(): void;
  /** Fires when something other than `hide` has hidden it. */
  readonly onDidHide: Event<void>;
  enter(): void;
  escape(): void;
}

/** See {@link QuestionContext.clock}. */
export interface KeyClock {
  readonly now: () => number;
  readonly quietMs: number;
  /** Calls back once the editor has drawn what it was told to show. */
  readonly whenDrawn: (then: () => void) => void;
}

/** Where a question stands among those that wait. */
export interface QueuePlace {
  /** How many questions wait, including this one. */
  readonly waiting: number;
  /** How many of them are from the same server and can be declined. */
  readonly waitingOfServer: number;
  readonly onDidChange: Event<void>;
  /** Declines all questions of its server that can be declined. */
  declineAll(): void;
}

/** What a question can use while it is being asked. */
export interface QuestionContext {
  readonly place: QueuePlace;
  /** The user's own action that brought it up, or their last one on it, by which what it opens may take the keyboard. */
  readonly wanted: UserAction | undefined;
  /** Aborts when the question has ended, for whatever reason. */
  readonly signal: AbortSignal;
  /** Shows a view when it is the question's turn, until the result is disposed of. */
  present(view: QuestionView): Disposable;
  /** Hides the view until the user calls up the question. */
  makeRoom(): void;
  /**
   * Hides the view and runs what the user does elsewhere, such as in a document; other questions may be shown
   * meanwhile.
   */
  setAside<T>(work: () => Promise<T>): Promise<T>;
  /** The clock for keys, which decide nothing for `quietMs` milliseconds after a view was shown. */
  readonly clock: KeyClock;
  /**
   * False while a click may be meant for the question that was here before: as the second one of a double click, or as
   * one that was on its way when that question went away unanswered.
   */
  readonly takesClicks: boolean;
  /** Records whether the user last acted by click or by key. */
  acted(how: AnsweredBy): void;
}

/** A question; `ask` returns the answer, which is ignored once the signal of its context has aborted. */
export interface Question<T> {
  readonly info: QuestionInfo;
  /** The answer if the user declines everything from the server; absent if the question cannot be declined. */
  readonly declined?: T;
  readonly ask: (context: QuestionContext) => Promise<T>;
}

/** A question that has not ended, for code that reports on it. */
export interface WaitingQuestion extends QuestionInfo {
  /** Epoch ms. */
  readonly since: number;
  readonly state: 'queued' | 'shown' | 'hidden' | 'setAside';
}
