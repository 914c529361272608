import { UserError } from '../../base/errors';
import type { Sentence } from '../../base/translate';
import { plainLabel } from '../../base/text/text';
import { limitedFetch } from '../transport/limitedFetch';
import { sendRequest } from '../transport/pageFetch';
import { followRedirects, sameOriginOnly } from '../transport/followRedirects';

/** How long an authorization server may take for one answer. */
const answerMs = 30_000;

/** What an authorization server says fits into this many bytes. */
const maxAnswerBytes = 1_000_000;

/** The part of `fetch` that the SDK needs. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** A request that reached nobody: a `TypeError` as that of `fetch`, which the SDK tells apart by its class. */
class UnreachedError extends TypeError {
  readonly origin: string;

  constructor({ origin }: URL, { message, cause }: TypeError) {
    super(message, { cause });
    this.origin = origin;
  }
}

/** Where a request went that reached nobody, if an error is of that. */
export function unreachedOrigin(error: unknown): string | undefined {
  return error instanceof UnreachedError ? error.origin : undefined;
}

/** True for a host name that can only be this machine. */
export function isLoopback(hostname: string): boolean {
  return /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);
}

/** Passes `https:`, and `http:` on this machine; throws a `UserError` for every other URL. */
export function assertSecureUrl(url: URL, what: Sentence): void {
  if (url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname))) return;
  throw new UserError((t) => t('{0} is not an https: address: {1}', what(t), plainLabel(url.href)));
}

/**
 * The `fetch` for everything that is asked of an authorization server on behalf of the server at
 * `serverUrl`: never with that server's own headers, never unencrypted, and on this machine only
 * for a server that runs there too, so that no server can have its user's local services called, and
 * no answer is read that is larger than such answers are.
 */
export function createAuthorizationFetch(serverUrl: URL, signal?: AbortSignal): Fetch {
  const limited = limitedFetch(maxAnswerBytes, (url, init) =>
    // What describes a server may be missing: only what must be answered is explained.
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
  return followRedirects(send, (from, to, init) => {
    // Documents that anybody may read can stand elsewhere; codes, tokens and client secrets go nowhere else.
    const isOpen = !init.body && !new Headers(init.headers).has('authorization');
    if (!isOpen) sameOriginOnly(from, to, init);
  });
}
