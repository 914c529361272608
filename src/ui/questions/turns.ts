import type { Disposable } from '../../base/disposable';
import type { Withdrawn } from '../../contracts/questionOutcome';
import type { QuestionInfo, QuestionView, UserAction, Waiting } from './question';

/** A question that waits or is shown, from when it is asked until it has ended. */
export interface QueuedQuestion {
  readonly info: QuestionInfo;
  readonly since: number;
  /** When an action of the user last asked it or showed it again, in epoch ms; `-Infinity` if none did. */
  wantedAt: number;
  state: Waiting['state'];
  /** True if the user opened it, so that it need not wait for the right moment. */
  opened: boolean;
  /** See {@link QuestionContext.wanted}. */
  action: UserAction | undefined;
  /** True if it has already come back by itself: from now on it waits for the user to call it up. */
  returned: boolean;
  /** True if the user came back from elsewhere and expects it to be shown. */
  expected: boolean;
  /** True if its turn came by itself and nothing of it was shown since. */
  isSudden: boolean;
  view: { readonly view: QuestionView; readonly hidden: Disposable } | undefined;
  begin: (() => void) | undefined;
  readonly decline: (() => void) | undefined;
  readonly withdraw: (outcome: Withdrawn) => void;
}

/**
 * Returns what to show next without an action of the user if nothing is shown; `mayShow` says whether a question that
 * nobody asked for may take the keyboard.
 */
export function nextByItself(
  entries: readonly QueuedQuestion[],
  mayShow: () => boolean,
): QueuedQuestion | undefined {
  const isReviewing = entries.some(
    ({ state, info }) => state === 'elsewhere' && info.kind === 'sampling',
  );
  // A question that the user has left must not cover a document that they are editing for another one.
  const isEdited = entries.some(({ state, opened }) => state === 'elsewhere' && opened);
  const hidden = entries.find(
    ({ state, opened, returned }) => state === 'hidden' && !isEdited && (opened || !returned),
  );
  const queued = entries.filter(
    ({ state, info }) =>
      // One request is reviewed at a time: each is a document.
      state === 'queued' && !(isReviewing && info.kind === 'sampling'),
  );
  const opened = queued.findIndex((entry) => entry.opened);
  return (
    // `mayShow` reads settings: call it once, however many wait, and not for a question that needs no right moment.
    hidden ?? (opened !== 0 && queued.length > 0 && mayShow() ? queued[0] : queued[opened])
  );
}

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
  return inTurn.find(({ state }) => state === 'queued' || state === 'hidden') ?? current;
}
