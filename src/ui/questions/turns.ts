import type { Disposable } from '../../base/disposable';
import type { Withdrawn } from '../../contracts/questionOutcome';
import type { Cause, Face, Waiting } from './stage';

/** A question that waits or is shown, from when it is put until it has ended. */
export interface QueuedQuestion {
  readonly cause: Cause;
  readonly since: number;
  state: Waiting['state'];
  /** The user opened it, so that it needs no right moment. */
  opened: boolean;
  /** It has come back by itself once: from now on the user calls it. */
  returned: boolean;
  /** The user came back from elsewhere and expects it to be shown. */
  expected: boolean;
  /** It is its turn by itself, and nothing of it was shown since. */
  isSudden: boolean;
  face: { readonly face: Face; readonly hidden: Disposable } | undefined;
  begin: (() => void) | undefined;
  readonly decline: (() => void) | undefined;
  readonly withdraw: (outcome: Withdrawn) => void;
}

/** What is shown next without an action of the user, where nothing is; `mayShow` says whether what nobody asked for may take the keyboard. */
export function nextByItself(
  entries: readonly QueuedQuestion[],
  mayShow: () => boolean,
): QueuedQuestion | undefined {
  const isReviewing = entries.some(
    ({ state, cause }) => state === 'elsewhere' && cause.kind === 'sampling',
  );
  // What the user has left lies over no document that they edit for another.
  const isEdited = entries.some(({ state, opened }) => state === 'elsewhere' && opened);
  const hidden = entries.find(
    ({ state, opened, returned }) => state === 'hidden' && !isEdited && (opened || !returned),
  );
  const queued = entries.filter(
    ({ state, cause }) =>
      // One request is reviewed at a time: each is a document.
      state === 'queued' && !(isReviewing && cause.kind === 'sampling'),
  );
  const opened = queued.findIndex((entry) => entry.opened);
  return (
    // Settings are read for that: once, however many wait, and not for one that needs no right moment.
    hidden ?? (opened !== 0 && queued.length > 0 && mayShow() ? queued[0] : queued[opened])
  );
}

/** What is shown next because the user wants to: the one behind the present one that waits, in turn, or else that one. */
export function nextInTurn(
  entries: readonly QueuedQuestion[],
  current: QueuedQuestion | undefined,
): QueuedQuestion | undefined {
  const from = current ? entries.indexOf(current) + 1 : 0;
  const inTurn = [...entries.slice(from), ...entries.slice(0, from)];
  return inTurn.find(({ state }) => state === 'queued' || state === 'hidden') ?? current;
}
