import type { Disposable } from '../../base/disposable';
import type { AskingServer } from '../clientRequests';

/** Takes the person to an authorization server and back. */
export interface AuthorizationUi {
  /** Prepares one sign-in to `server`; rejects with a `CancelledError` when the person declines. */
  prepare(server: AskingServer, signal: AbortSignal): Promise<AuthorizationVisit>;
}

/** One way to an authorization server and back, for one use; disposing it closes the way back. */
export interface AuthorizationVisit extends Disposable {
  /** Where the authorization server sends the browser back to. */
  readonly redirectUrl: string;
  /**
   * Shows the host of `url`, opens it in the browser once the person agrees, and resolves with the
   * parameters that the browser brings back. Whatever comes back without `state` is not the answer
   * and is ignored. Rejects with a `CancelledError` when the person declines or `signal` aborts.
   */
  visit(url: URL, state: string, signal: AbortSignal): Promise<URLSearchParams>;
}
