import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import type { Translate } from '../../base/translate';
import type { Fetch } from '../auth/secureUrl';

/** What a page has to be allowed to send to a server and to read of its answers. */
const sentHeaders =
  'Authorization, Content-Type, Mcp-Protocol-Version, Mcp-Session-Id, Last-Event-ID';
const readHeaders = 'Mcp-Session-Id, WWW-Authenticate';

/**
 * The global `fetch` of the moment: the editor replaces it by one that knows its proxies. In a page it
 * rejects with a `UserError` that says what the server must allow, where a page may not read the answer.
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

/** The origin of the page that this runs in; undefined where there is none, and nothing is kept from anybody. */
function pageOrigin(): string | undefined {
  const { origin } = globalThis as { readonly origin?: unknown };
  return typeof origin === 'string' ? origin : undefined;
}

/** A page may ask any server, without reading the answer: so that is what was refused. */
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
  // An origin that hides itself can only be allowed with all others.
  const allowed = page === 'null' ? '*' : page;
  return t(
    '{0} does not allow web pages to use it, and this window is one. Have it answer with Access-Control-Allow-Origin: {1}, allow the headers {2}, and expose {3} (CORS). Or open this in a desktop or remote window.',
    plainLabel(origin),
    allowed,
    sentHeaders,
    readHeaders,
  );
}
