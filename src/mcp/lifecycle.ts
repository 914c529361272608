import type {
  Connected,
  FailedState,
  Listening,
  Obstacle,
  Readiness,
  ServerState,
} from './serverState';

/** What can happen to a server. */
export type LifecycleEvent =
  /** A look ahead, while it was stopped, found out what would keep it from starting. */
  | { readonly kind: 'lookedAt'; readonly found: Readiness }
  | { readonly kind: 'started' }
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
  | { readonly kind: 'signInRequired'; readonly issuer?: string; readonly problem?: string }
  | { readonly kind: 'stopped' };

/** Returns the state after an event; the same object if the event changes nothing, as it came too late. */
export function reduceState(state: ServerState, event: LifecycleEvent): ServerState {
  switch (event.kind) {
    case 'lookedAt':
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
      return state.kind === 'stopped' ? state : { kind: 'stopped' };
  }
}

function obstacleOf(found: Readiness): Obstacle | undefined {
  return found === 'trusted' ? undefined : found;
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
