import type { Disposable } from '../../base/disposable';
import type { Withdrawn } from '../../contracts/questionOutcome';
import type { QuestionInfo, QuestionView, UserAction, WaitingQuestion } from './question';

/**
 * Where a question stands between the user and everything else that wants the keyboard. `isUsers` is true if the user
 * called it up, or would miss it: it need not wait for the right moment, and nothing of its own covers what they do for
 * it. `isAgain` is true if it came back before.
 */
export type QuestionState =
  /** It waits for its first turn. */
  | { readonly kind: 'queued' }
  /** It waits for the right moment, as its view came when the user had turned elsewhere. */
  | { readonly kind: 'late' }
  /** It has its turn; `isUnsolicited` until something of it is drawn, if that turn came by itself. */
  | {
      readonly kind: 'shown';
      readonly isUsers: boolean;
      readonly isAgain: boolean;
      readonly isUnsolicited: boolean;
    }
  /** The user called up another one in its place: it comes back as soon as there is room. */
  | { readonly kind: 'displaced' }
  /** Something that is not ours took its place: it comes back by itself, once. */
  | { readonly kind: 'covered' }
  /** It made room, or was covered again: it waits until the user calls it up. */
  | { readonly kind: 'left' }
  /** The user does something for it elsewhere, such as in a document. */
  | { readonly kind: 'setAside'; readonly isUsers: boolean }
  /** The user came back from there and expects it. */
  | { readonly kind: 'expected' };

/** What happens to one question while it waits. */
export type QuestionEvent =
  | 'calledUp'
  /** Its turn came by itself. */
  | 'turnCame'
  /** Its view came when the user had turned elsewhere. */
  | 'turnedFrom'
  /** A view of it was drawn. */
  | 'drawn'
  /** Another question was called up. */
  | 'displaced'
  /** Something that is not ours took the quick input. */
  | 'covered'
  /** The question itself made room. */
  | 'madeRoom'
  | 'wasSetAside'
  | 'cameBack';

/** Returns the state of a question after an event. */
export function nextState(state: QuestionState, event: QuestionEvent): QuestionState {
  switch (event) {
    case 'calledUp':
      return { kind: 'shown', isUsers: true, isAgain: isAgain(state), isUnsolicited: false };
    case 'turnCame':
      return {
        kind: 'shown',
        isUsers: state.kind === 'displaced' || state.kind === 'expected',
        isAgain: isAgain(state),
        isUnsolicited: true,
      };
    case 'drawn':
      return state.kind === 'shown' ? { ...state, isUnsolicited: false } : state;
    case 'displaced':
      return { kind: 'displaced' };
    case 'covered':
      return { kind: isAgain(state) ? 'left' : 'covered' };
    case 'turnedFrom':
      return { kind: 'late' };
    case 'madeRoom':
      return { kind: 'left' };
    case 'wasSetAside':
      return { kind: 'setAside', isUsers: isUsers(state) };
    case 'cameBack':
      return { kind: 'expected' };
  }
}

function isAgain(state: QuestionState): boolean {
  return state.kind === 'shown' ? state.isAgain : waitingState(state) !== 'queued';
}

function isUsers(state: QuestionState): boolean {
  if ('isUsers' in state) return state.isUsers;
  return state.kind === 'displaced' || state.kind === 'expected';
}

const waitingStates: Readonly<Record<QuestionState['kind'], WaitingQuestion['state']>> = {
  queued: 'queued',
  late: 'queued',
  shown: 'shown',
  displaced: 'hidden',
  covered: 'hidden',
  left: 'hidden',
  setAside: 'setAside',
  expected: 'hidden',
};

/** Returns what others are told of a state. */
export function waitingState({ kind }: QuestionState): WaitingQuestion['state'] {
  return waitingStates[kind];
}

/** A question that waits or is shown, from when it is asked until it has ended. */
export interface QueuedQuestion {
  readonly info: QuestionInfo;
  readonly since: number;
  state: QuestionState;
  /** When an action of the user last asked it or showed it again, in epoch ms; `-Infinity` if none did. */
  wantedAt: number;
  /** See {@link QuestionContext.wanted}. */
  action: UserAction | undefined;
  /** When the user last had it in front of them, or its turn came, in epoch ms. */
  attendedAt: number;
  view: { readonly view: QuestionView; readonly hidden: Disposable } | undefined;
  /** Asks it; called at its first turn. */
  readonly begin: () => void;
  readonly decline: (() => void) | undefined;
  readonly withdraw: (outcome: Withdrawn) => void;
}

/**
 * Returns what to show next without an action of the user if nothing is shown; `mayShow` says whether a question that
 * nobody asked for may take the keyboard.
 */
export function nextByItself<T extends Pick<QueuedQuestion, 'info' | 'state'>>(
  entries: readonly T[],
  mayShow: () => boolean,
): T | undefined {
  const setAside = entries.filter(({ state }) => state.kind === 'setAside');
  // A question that the user has left must not cover a document that they are editing for another one.
  if (!setAside.some(({ state }) => isUsers(state))) {
    const comesBack = entries.find(({ state: { kind } }) => comingBack.has(kind));
    if (comesBack) return comesBack;
  }
  // One request is reviewed at a time: each is a document.
  const isReviewing = setAside.some(({ info }) => info.kind === 'sampling');
  const queued = entries.find(
    ({ state, info }) =>
      waitingState(state) === 'queued' && !(isReviewing && info.kind === 'sampling'),
  );
  // `mayShow` reads settings: call it once, however many wait.
  return queued && mayShow() ? queued : undefined;
}

const comingBack: ReadonlySet<QuestionState['kind']> = new Set([
  'displaced',
  'covered',
  'expected',
]);

/**
 * Returns what to show next at the user's request: the first waiting question after the current one, in turn, or else
 * the current one.
 */
export function nextInTurn(
  entries: readonly QueuedQuestion[],
  current: QueuedQuestion | undefined,
): QueuedQuestion | undefined {
  const from = current ? entries.indexOf(current) + 1 : 0;
  const inTurn = [...entries.slice(from), ...entries.slice(0, from)];
  const waits = (entry: QueuedQuestion) => ['queued', 'hidden'].includes(waitingState(entry.state));
  return inTurn.find(waits) ?? current;
}
