import { type Backoff, backoffMs, patientBackoff } from '../base/pace';
import type {
  Connected,
  FailedState,
  Listening,
  Obstacle,
  Readiness,
  ServerState,
  SignInNeed,
} from './serverState';

/** When a crashed server is restarted; times in milliseconds. */
export interface RestartBounds extends Backoff {
  /** A server that crashes more often than this within the window is not restarted. */
  readonly maxRestarts: number;
  readonly windowMs: number;
}

/** The bounds of restarts where the owner of a server sets no others. */
export const defaultRestarts: RestartBounds = {
  ...patientBackoff,
  maxRestarts: 5,
  windowMs: 10 * 60_000,
};

/** What happens to the state of a server. */
export type StateEvent =
  /** A look ahead, while it was stopped, found out what would keep it from starting. */
  | { readonly kind: 'lookedAt'; readonly found: Readiness }
  /** `isRestart` if nobody has asked for that: it crashed, or its session was lost. */
  | { readonly kind: 'started'; readonly isRestart?: boolean }
  /** Its start asked the user something, or was answered. */
  | { readonly kind: 'asked' }
  | { readonly kind: 'answered' }
  /** It wrote something that is not a message. */
  | { readonly kind: 'printed'; readonly text: string }
  /** Its start was not allowed, or was called off. */
  | { readonly kind: 'refused'; readonly why?: Obstacle | undefined }
  | ({ readonly kind: 'opened' } & Omit<Connected, 'notificationsLost'>)
  | { readonly kind: 'violated'; readonly problems?: readonly string[] }
  | { readonly kind: 'listened'; readonly listening: Listening }
  /** Nothing answers at its address, or something does again. */
  | { readonly kind: 'unreached'; readonly message: string }
  | { readonly kind: 'reached' }
  /** It could not be started, or ended by itself. */
  | { readonly kind: 'failed'; readonly failure: FailedState; readonly retryAt?: number }
  | ({ readonly kind: 'signInRequired' } & SignInNeed)
  /** It has ended, as it was told to. */
  | { readonly kind: 'stopped'; readonly why?: Obstacle | undefined };

/** What can happen to a server. */
export type LifecycleEvent =
  | StateEvent
  /** It is told to stop: what it does until it has ended is no crash. */
  | { readonly kind: 'stopping' }
  /** It ended by itself, or could not be restarted, at a time in epoch ms. */
  | { readonly kind: 'crashed'; readonly failure: FailedState; readonly at: number };

/** All that decides what happens to a server next: its state, and what of its past still counts. */
export interface Lifecycle {
  readonly state: ServerState;
  /** True from when the user or a configuration change stops it until it starts again. */
  readonly isEndedOnPurpose: boolean;
  /** When it crashed since it was last started or stopped on purpose, in epoch ms. */
  readonly crashes: readonly number[];
  readonly lastFailure?: FailedState;
}

/** Returns the lifecycle of a server that was never started; `why` is what keeps it from starting. */
export function newLifecycle(why?: Obstacle): Lifecycle {
  return { state: { kind: 'stopped', ...(why && { why }) }, isEndedOnPurpose: false, crashes: [] };
}

/** Returns what an event makes of a server; a state that the event came too late for is the same object. */
export function reduceLifecycle(
  life: Lifecycle,
  event: LifecycleEvent,
  bounds = defaultRestarts,
): Lifecycle {
  switch (event.kind) {
    case 'stopping':
      return { ...life, isEndedOnPurpose: true, crashes: [] };
    case 'crashed': {
      const { failure, at } = event;
      const crashes = [...recent(life.crashes, at, bounds), at];
      const retryAt =
        crashes.length > bounds.maxRestarts
          ? undefined
          : at + backoffMs(bounds, crashes.length - 1);
      const failed = {
        kind: 'failed',
        failure,
        ...(retryAt !== undefined && { retryAt }),
      } as const;
      return withState({ ...life, crashes }, failed);
    }
    case 'started': {
      // A manual start resets the restart limit, unless it only comes before the next attempt.
      const isRetry = life.state.kind === 'failed' && life.state.retryAt !== undefined;
      const crashes = event.isRestart === true || isRetry ? life.crashes : [];
      return withState({ ...life, isEndedOnPurpose: false, crashes }, event);
    }
    default:
      return withState(life, event);
  }
}

/** Returns what a server failed with: now, or shortly before it was restarted automatically. */
export function lastFailureOf(
  { state, crashes, lastFailure }: Lifecycle,
  now: number,
  bounds = defaultRestarts,
): FailedState | undefined {
  if (state.kind === 'failed') return state;
  return recent(crashes, now, bounds).length > 0 ? lastFailure : undefined;
}

function recent(crashes: readonly number[], now: number, { windowMs }: RestartBounds) {
  return crashes.filter((time) => now - time < windowMs);
}

function withState(life: Lifecycle, event: StateEvent): Lifecycle {
  const state = reduceState(life.state, event);
  return { ...life, state, ...(state.kind === 'failed' && { lastFailure: state }) };
}

/** Returns the state after an event; the same object if the event changes nothing, as it came too late. */
export function reduceState(state: ServerState, event: StateEvent): ServerState {
  switch (event.kind) {
    case 'lookedAt':
      // That nothing else is in the way does not change what the user wants.
      if (event.found === 'ready' && keptDown(state)) return state;
      return state.kind === 'stopped' ? stopped(state, obstacleOf(event.found)) : state;
    case 'started':
      return { kind: 'starting' };
    case 'asked':
      return state.kind === 'starting' ? { ...state, isWaiting: true } : state;
    case 'answered': {
      if (state.kind !== 'starting' || !state.isWaiting) return state;
      const { isWaiting: _before, ...rest } = state;
      return rest;
    }
    case 'printed':
      return state.kind === 'starting' ? { ...state, unexpectedOutput: event.text } : state;
    case 'refused':
      return stopped(state, event.why);
    case 'opened':
      return { ...event, kind: 'running' };
    case 'violated':
      return 'info' in state ? { ...state, ...problemsOf(event) } : state;
    case 'listened': {
      if (!('info' in state)) return state;
      const { notificationsLost: _before, ...rest } = state;
      return { ...rest, ...lossOf(event.listening) };
    }
    case 'unreached':
      return state.kind === 'running'
        ? { ...state, kind: 'reconnecting', message: event.message }
        : state;
    case 'reached': {
      if (state.kind !== 'reconnecting') return state;
      const { message: _before, ...rest } = state;
      return { ...rest, kind: 'running' };
    }
    case 'failed': {
      const { retryAt } = event;
      return { ...event.failure, ...(retryAt !== undefined && { retryAt }) };
    }
    case 'signInRequired':
      return { ...event, kind: 'needsSignIn' };
    case 'stopped':
      // What keeps it from starting still does.
      return state.kind === 'stopped' && state.why !== undefined
        ? state
        : stopped(state, event.why);
  }
}

function obstacleOf(found: Readiness): Obstacle | undefined {
  return found === 'ready' ? undefined : found;
}

function keptDown(state: ServerState): boolean {
  return state.kind === 'stopped' && state.why === 'stoppedByUser';
}

function stopped(state: ServerState, why: Obstacle | undefined): ServerState {
  if (state.kind === 'stopped' && state.why === why) return state;
  return { kind: 'stopped', ...(why && { why }) };
}

function problemsOf({ problems }: { readonly problems?: readonly string[] }) {
  return problems && { problems };
}

function lossOf(listening: Listening): Pick<Connected, 'notificationsLost'> {
  switch (listening) {
    case 'all':
      return {};
    case 'some':
      return { notificationsLost: 'some' };
    case 'none':
      return { notificationsLost: 'all' };
  }
}
