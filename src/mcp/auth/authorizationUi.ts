import type { Disposable } from '../../base/disposable';
import type { AskingServer } from '../protocol/clientRequests';

/** Takes the user to an authorization server and back. */
export interface AuthorizationUi {
  /** The ways there and back, the preferred first; a later one is for where one is not accepted. */
  readonly ways: readonly PrepareVisit[];
}

/** Prepares one sign-in to `server`. */
export type PrepareVisit = (
  server: AskingServer,
  signal: AbortSignal,
) => Promise<AuthorizationVisit>;

/** Waits for the browser to come back from an authorization server, once. */
export interface BrowserCallback extends Disposable {
  /** Where the authorization server sends the browser back to. */
  readonly redirectUrl: string;
  /**
   * Resolves with the parameters of the first call that carries `state`; whatever comes without it
   * is not the answer and is ignored. Rejects with a `CancelledError` when `signal` aborts.
   */
  wait(state: string, signal: AbortSignal): Promise<URLSearchParams>;
  /** Shows in the browser that the user is signed in; without it, `dispose` shows that they are not. */
  succeed(): void;
}

/** One way to an authorization server and back, for one use; disposing it closes the way back. */
export interface AuthorizationVisit extends Disposable {
  readonly redirectUrl: BrowserCallback['redirectUrl'];
  readonly succeed: BrowserCallback['succeed'];
  /**
   * Shows the host of `url`, opens it in the browser once the user agrees, and resolves with what
   * the browser brings back. Rejects with a `CancelledError` when the user declines or `signal`
   * aborts.
   */
  visit(url: URL, state: string, signal: AbortSignal): Promise<URLSearchParams>;
}
