import { UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import { followRedirects, sameOriginOnly } from '../transport/followRedirects';
import { limitedFetch } from '../transport/limitedFetch';
import { farthest, mayLead, reachOfName, type Reach } from './reach';
import { readableAnswers } from './readableAnswers';
import { assertSecureUrl, UnreachedError, type Fetch } from './secureUrl';

/** How long an authorization server may take to respond. */
const answerMs = 30_000;

/** The longest response that is read from an authorization server, in bytes. */
const maxAnswerBytes = 1_000_000;

/** What decides on the connections of one sign-in. */
export interface SignInRoute {
  /** Decides on each address that a connection would be made to. */
  readonly admits: (reach: Reach) => Promise<boolean>;
  /** Connections are only used again by requests of the same name. */
  readonly name: string;
}

/** The network as sign-ins use it: that of a machine, which knows addresses, or that of a page, which does not. */
export interface SignInNetwork {
  /**
   * Sends one request like `fetch`, which follows no redirect, and connects to no address that is not admitted. Where
   * only a proxy knows addresses, it decides.
   */
  send(url: URL, init: RequestInit, route: SignInRoute): Promise<Response>;
  /** Returns where a host is, by the farthest of its addresses; `undefined` if nobody here knows. */
  locate(hostname: string): Promise<Reach | undefined>;
}

declare const guarded: unique symbol;

/** The `fetch` of a sign-in: the functions of the SDK accept no other, and nothing else makes one. */
export interface AuthorizationFetch extends Fetch {
  readonly [guarded]: true;
  /**
   * Accepts a page that the browser is sent to, and returns where its host is, if that is known. Throws a `UserError` if
   * it is not encrypted, or on this machine for a server that is elsewhere.
   */
  readonly checkPage: (url: URL) => Promise<Reach | undefined>;
}

let count = 0;

/** Addresses that the user named, which may be nearer to this machine than the server. */
export interface NamedPlaces {
  /** The authorization server in a configuration, which may be in a private network. */
  readonly issuer?: string | undefined;
  /** The places of an identity provider in the user's own settings, which may also be on this machine. */
  readonly identityProvider?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Creates the `fetch` for all requests to an authorization server on behalf of the server at `serverUrl`: without that
 * server's own headers, never unencrypted, with a limit on the size of responses, and to no address that is nearer to
 * this machine than the server itself, so that no server can reach its user's local services or network. Each address
 * is looked at when it is connected to, redirects included. A server whose name leads into a private network or to this
 * machine is there only if it answers there with a certificate for that name: whoever owns the name of another can have
 * it lead anywhere, but not that. Answers are {@link readableAnswers}.
 */
export function createAuthorizationFetch(
  serverUrl: URL,
  network: SignInNetwork,
  { signal, issuer, identityProvider = [] }: NamedPlaces = {},
): AuthorizationFetch {
  const name = `sign-in ${(count += 1)}`;
  const named = new Map<string, Reach>();
  if (issuer !== undefined && URL.canParse(issuer)) named.set(new URL(issuer).hostname, 'network');
  for (const one of identityProvider)
    if (URL.canParse(one)) named.set(new URL(one).hostname, 'machine');
  const isHere = [serverUrl.href, ...identityProvider].some(
    (one) => URL.canParse(one) && reachOfName(new URL(one).hostname) === 'machine',
  );
  const seen = new Map<string, Reach>();
  const notice = (hostname: string, reach: Reach) =>
    seen.set(hostname, farthest([reach, seen.get(hostname) ?? reach]) ?? reach);
  let server: Promise<Reach> | undefined;
  const serverReach = () =>
    (server ??= (async () => {
      const found =
        reachOfName(serverUrl.hostname) ?? (await answersFrom(serverUrl, network, name));
      // Its name may have led elsewhere a moment ago.
      return farthest([found, seen.get(serverUrl.hostname) ?? found]) ?? found;
    })());
  const admits = async ({ protocol, hostname }: URL, reach: Reach): Promise<boolean> => {
    // Such a name stands for this machine whatever a resolver makes of it.
    if (reachOfName(hostname) === 'machine' && reach !== 'machine') return false;
    // Whoever owns a name can have it lead here for a moment, and without encryption nothing here would notice.
    if (protocol === 'http:' && !isHere) return false;
    notice(hostname, reach);
    const limit = named.get(hostname);
    if (reach === 'internet' || (limit !== undefined && mayLead(limit, reach))) return true;
    return mayLead(await serverReach(), reach);
  };

  const limited = limitedFetch(maxAnswerBytes, async (address, init = {}) => {
    const url = new URL(address);
    let refused: Reach | undefined;
    const check = async (reach: Reach) => {
      const isAdmitted = await admits(url, reach);
      if (!isAdmitted) refused = reach;
      return isAdmitted;
    };
    const known = reachOfName(url.hostname);
    if (known !== undefined && !(await check(known))) throw refusal(url, known);
    return network.send(url, init, { admits: check, name }).catch((error: unknown) => {
      if (refused !== undefined) throw refusal(url, refused);
      throw error instanceof TypeError ? new UnreachedError(url, error) : error;
    });
  });
  const send: Fetch = async (address, init) => {
    const url = new URL(address);
    assertSecureUrl(url, (t) => t('The address of the authorization server'));
    const limit = AbortSignal.timeout(answerMs);
    const until = signal ? AbortSignal.any([signal, limit]) : limit;
    return limited(url, { ...init, signal: until });
  };
  const follow = followRedirects(send, (from, to, init) => {
    // Public documents may be elsewhere, but codes, tokens and client secrets are not sent there.
    const isOpen = !init.body && !new Headers(init.headers).has('authorization');
    if (!isOpen) sameOriginOnly(from, to, init);
  });
  const checkPage = async (url: URL) => {
    assertSecureUrl(url, (t) => t('The sign-in page'));
    const known = reachOfName(url.hostname);
    if (known === 'machine' && !(await admits(url, known))) throw refusal(url, known);
    return known ?? seen.get(url.hostname) ?? network.locate(url.hostname);
  };
  return Object.assign(readableAnswers(follow), { checkPage }) as AuthorizationFetch;
}

/**
 * Returns where a server answers, by the farthest address that its name leads to at that moment. What cannot prove by a
 * certificate that it is that server, and what only a proxy can find, counts as far away.
 */
async function answersFrom(
  { protocol, origin }: URL,
  { send }: SignInNetwork,
  name: string,
): Promise<Reach> {
  if (protocol !== 'https:') return 'internet';
  const found: Reach[] = [];
  const admits = async (reach: Reach) => found.push(reach) > 0;
  const signal = AbortSignal.timeout(answerMs);
  try {
    // Not by a connection that is kept, of which nothing would be seen.
    const route = { admits, name: `${name} at its server` };
    const url = new URL('/.well-known/oauth-protected-resource', origin);
    const { body } = await send(url, { signal }, route);
    void body?.cancel().catch(() => {});
    return farthest(found) ?? 'internet';
  } catch {
    return 'internet';
  }
}

function refusal({ href }: URL, reach: Reach): UserError {
  return new UserError((t) =>
    reach === 'machine'
      ? t('The server sends its sign-in to this machine, which is refused: {0}', plainLabel(href))
      : t(
          'The server sends its sign-in into a private network, which is refused: {0}. If you know that authorization server, set "oauth.issuer" to it.',
          plainLabel(href),
        ),
  );
}
