import { UserError } from '../../base/errors';
import type { Sentence } from '../../base/translate';
import { plainLabel } from '../../base/text/text';
import { limitedFetch } from '../transport/limitedFetch';
import { sendRequest } from '../transport/pageFetch';
import { followRedirects, sameOriginOnly } from '../transport/followRedirects';
import { readableAnswers } from './readableAnswers';

/** How long an authorization server may take to respond. */
const answerMs = 30_000;

/** The longest response that is read from an authorization server, in bytes. */
const maxAnswerBytes = 1_000_000;

/** The part of `fetch` that the SDK needs. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Thrown when a request reached no server: a `TypeError` like that of `fetch`, as the SDK checks for that class. */
class UnreachedError extends TypeError {
  readonly origin: string;

  constructor({ origin }: URL, { message, cause }: TypeError) {
    super(message, { cause });
    this.origin = origin;
  }
}

/** Returns the origin that a failed request could not reach; `undefined` for any other error. */
export function unreachedOrigin(error: unknown): string | undefined {
  return error instanceof UnreachedError ? error.origin : undefined;
}

/** True for a host name that can only be this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** Accepts `https:`, and `http:` on this machine; throws a `UserError` for any other URL. */
export function assertSecureUrl(url: URL, what: Sentence): void {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return;
  throw new UserError((t) => t('{0} is not an https: address: {1}', what(t), plainLabel(url.href)));
}

/**
 * Creates the `fetch` for all requests to an authorization server on behalf of the server at `serverUrl`:
 * without that server's own headers, never unencrypted, with a limit on the size of responses, and to this
 * machine only for a server that runs on it, so that no server can reach its user's local services. Its answers are
 * {@link readableAnswers}.
 */
export function createAuthorizationFetch(serverUrl: URL, signal?: AbortSignal): Fetch {
  const limited = limitedFetch(maxAnswerBytes, (url, init) =>
    // Metadata may be missing, so only failed POST requests are explained.
    init?.method === 'POST' ? sendRequest(url, init) : fetch(url, init),
  );
  const send: Fetch = async (address, init) => {
    const url = new URL(address);
    assertSecureUrl(url, (t) => t('The address of the authorization server'));
    if (isLoopback(url.hostname) && !isLoopback(serverUrl.hostname))
      throw new UserError((t) =>
        t(
          'The server sends its sign-in to this machine, which is refused: {0}',
          plainLabel(url.href),
        ),
      );
    const limit = AbortSignal.timeout(answerMs);
    const until = signal ? AbortSignal.any([signal, limit]) : limit;
    return limited(url, { ...init, signal: until }).catch((error: unknown) => {
      throw error instanceof TypeError ? new UnreachedError(url, error) : error;
    });
  };
  const follow = followRedirects(send, (from, to, init) => {
    // Public documents may be elsewhere, but codes, tokens and client secrets are not sent there.
    const isOpen = !init.body && !new Headers(init.headers).has('authorization');
    if (!isOpen) sameOriginOnly(from, to, init);
  });
  return readableAnswers(follow);
}
