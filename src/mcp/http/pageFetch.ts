import { UserError } from '../../base/errors';
import { addressLabel } from '../../base/text/address';
import type { Translate } from '../../base/translate';
import type { SignInNetwork } from './reach';
import type { Fetch } from './secureUrl';

/** The headers that a page must be allowed to send to a server, and below, to read from its responses. */
const sentHeaders =
  'Authorization, Content-Type, Mcp-Protocol-Version, Mcp-Session-Id, Last-Event-ID';
const readHeaders = 'Mcp-Session-Id, WWW-Authenticate';

/**
 * Calls the current global `fetch`, which the editor replaces with one that knows its proxies. In a page, rejects
 * with a `UserError` that says what the server must allow if the page may not read the response.
 */
export const sendRequest: Fetch = async (url, init) => {
  try {
    return await fetch(url, init);
  } catch (error) {
    const page = pageOrigin();
    if (page === undefined || init?.signal?.aborted || !(error instanceof TypeError)) throw error;
    throw (await isThere(url, init?.signal))
      ? new UserError((t) => blockedSentence(new URL(url), page, t), { cause: error })
      : error;
  }
};

/** The network of a page, which learns no addresses: the browser keeps it from this machine's. */
export const pageNetwork: SignInNetwork = {
  // Metadata may be missing, so only failed POST requests are explained.
  send: (url, init) => (init.method === 'POST' ? sendRequest(url, init) : fetch(url, init)),
  locate: () => Promise.resolve(undefined),
};

/** Returns the origin of the page that this runs in; `undefined` if it is not a page, so that nothing is blocked. */
function pageOrigin(): string | undefined {
  const { origin } = globalThis as { readonly origin?: unknown };
  return typeof origin === 'string' ? origin : undefined;
}

/** True if the server responds to a request whose response is not read, which any page may send. */
async function isThere(
  url: string | URL,
  signal: AbortSignal | null | undefined,
): Promise<boolean> {
  try {
    await fetch(url, { mode: 'no-cors', credentials: 'omit', ...(signal && { signal }) });
    return true;
  } catch {
    return false;
  }
}

function blockedSentence({ origin }: URL, page: string, t: Translate): string {
  // An opaque origin can only be allowed together with all others.
  const allowed = page === 'null' ? '*' : page;
  return t(
    '{0} does not allow web pages to use it, and this window is one. Have it answer with Access-Control-Allow-Origin: {1}, allow the headers {2}, and expose {3} (CORS). Or open this in a desktop or remote window.',
    addressLabel(origin),
    allowed,
    sentHeaders,
    readHeaders,
  );
}
