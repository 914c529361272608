import { UserError } from '../../base/errors';
import { addressLabel } from '../../base/text/address';
import { followRedirects, sameOriginOnly } from '../http/followRedirects';
import { limitedFetch } from '../http/limitedFetch';
import { type Reach, type SignInNetwork, farthest, mayLead, reachOfName } from '../http/reach';
import { type Fetch, UnreachedError, assertSecureUrl, encryptedBeside } from '../http/secureUrl';
import { type JsonRecord, isRecord } from '../../base/json';
import { parseObject } from '../protocol/parseObject';

/** Reads a field of an answer from this address; returns `undefined` for what says nothing or cannot be used. */
type Read = (value: unknown, from: URL) => unknown;

const text: Read = (value) => (typeof value === 'string' && value !== '' ? value : undefined);

/** A text that a request can carry (RFC 6749, appendix A). */
const token: Read = (value) =>
  typeof value === 'string' && /^[\x20-\x7E]+$/.test(value) ? value : undefined;

const flag: Read = (value) => (typeof value === 'boolean' ? value : undefined);

const words = (value: unknown): readonly string[] | undefined => {
  if (typeof value === 'string') return value.split(/\s+/).filter(Boolean);
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : undefined;
};

const scope: Read = (value) => words(value)?.join(' ') || undefined;

/** An address, encrypted like that of the answer if it is at the same host. */
const encryptedAddress = (value: unknown, from: URL): string | undefined => {
  if (typeof value !== 'string' || value === '') return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  const encrypted = url && encryptedBeside(url, from);
  return encrypted === url ? value : encrypted?.href;
};

const addresses: Read = (value, from) =>
  words(value)?.flatMap((one) =>
    /^https?:/i.test(one) ? (encryptedAddress(one, from) ?? []) : [],
  );

/** A number of seconds, which some write as a text; below zero it means that nobody knows. */
const seconds: Read = (value) => {
  const isDigits = typeof value === 'string' && /^\s*\d+(\.\d+)?\s*$/.test(value);
  const number = isDigits ? Number(value) : value;
  return typeof number === 'number' && number >= 0 ? number : undefined;
};

/**
 * All fields that a sign-in needs of a protected resource (RFC 9728), an authorization server (RFC 8414), a client
 * (RFC 7591), tokens (RFC 6749, 8693) and errors; a name means the same wherever it stands.
 */
const fields: Readonly<Record<string, Read>> = {
  resource: text,
  authorization_servers: addresses,
  scopes_supported: words,
  issuer: text,
  authorization_endpoint: encryptedAddress,
  token_endpoint: encryptedAddress,
  registration_endpoint: encryptedAddress,
  response_types_supported: words,
  code_challenge_methods_supported: words,
  token_endpoint_auth_methods_supported: words,
  dpop_signing_alg_values_supported: words,
  client_id_metadata_document_supported: flag,
  authorization_response_iss_parameter_supported: flag,
  client_id: token,
  client_secret: token,
  client_secret_expires_at: seconds,
  token_endpoint_auth_method: text,
  access_token: token,
  id_token: text,
  refresh_token: token,
  token_type: text,
  issued_token_type: text,
  expires_in: seconds,
  scope,
  error: text,
  error_description: text,
};

/**
 * Wraps `send` so that answers can be read although their writers were careless: what a sign-in does not need is left
 * out, whatever is in it, and what it needs is read where the meaning is plain. A page in place of a document stands for
 * none: many sites show one wherever they have nothing. Metadata may be below the path of its issuer.
 */
function readableAnswers(send: Fetch): Fetch {
  return async (address, init) => {
    let response = await send(address, init);
    const below = belowIssuer(new URL(address));
    if (below && response.status >= 400 && response.status < 500) {
      void response.body?.cancel().catch(() => {});
      response = await send(below, init);
    }
    const { status, statusText, headers, ok } = response;
    if (!response.body || (!ok && (status < 400 || status > 599))) return response;
    // The body of a refusal may end in any way: its status says enough.
    const body = await (ok ? response.text() : response.text().catch(() => ''));
    const object = parseObject(body);
    const isDocument = init?.method === undefined || init.method === 'GET';
    if (ok && isDocument && !object && /^\s*</.test(body))
      return new Response(null, { status: 404 });
    const readable = object && JSON.stringify(readAnswer(object, new URL(address), init));
    return new Response(readable ?? body, { status, statusText, headers });
  };
}

/**
 * Returns where a server that was mounted below a path has its metadata, for the address at which OpenID Connect looks there:
 * RFC 8414 wants it at the root of the host, which such a server does not have.
 */
function belowIssuer({ href, pathname }: URL): URL | undefined {
  const isBelow = /.\/\.well-known\/openid-configuration$/.test(pathname);
  return isBelow
    ? new URL(
        href.replace(
          '/.well-known/openid-configuration',
          '/.well-known/oauth-authorization-server',
        ),
      )
    : undefined;
}

/** Returns the fields of an answer that a sign-in needs, and those that only its form needs. */
function readAnswer(answer: JsonRecord, from: URL, init: RequestInit | undefined): JsonRecord {
  const read = Object.fromEntries(
    Object.entries(fields).flatMap(([name, readField]) => {
      const value = Object.hasOwn(answer, name) ? readField(answer[name], from) : undefined;
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const { client_secret: secret, token_endpoint_auth_method: method, ...rest } = read;
  const proof =
    secret === undefined && method !== 'none' ? {} : { token_endpoint_auth_method: method };
  return {
    ...assumed(read, init),
    ...rest,
    ...(secret !== undefined && { client_secret: secret }),
    // Without a secret there is nothing that a client could prove itself by.
    ...(method !== undefined && proof),
  };
}

/** Returns what an answer does not have to say: it has one meaning, or none that matters to a sign-in. */
function assumed(read: JsonRecord, init: RequestInit | undefined): JsonRecord {
  // With a token it is the answer to a request for one, whatever else is in it.
  if ('access_token' in read) return { token_type: 'Bearer' };
  if ('client_id' in read) return { redirect_uris: sentRedirects(init) };
  const { token_endpoint: endpoint } = read;
  return endpoint === undefined
    ? {}
    : {
        response_types_supported: ['code'],
        // OpenID Connect requires these of everybody, for identity tokens that are not verified here.
        jwks_uri: endpoint,
        subject_types_supported: [],
        id_token_signing_alg_values_supported: [],
      };
}

/** Returns the addresses that a registration asked for: they hold if the answer names no others. */
function sentRedirects(init: RequestInit | undefined): unknown {
  const sent: unknown = typeof init?.body === 'string' ? parseObject(init.body) : undefined;
  return isRecord(sent) ? sent['redirect_uris'] : [];
}

/** How long an authorization server may take to respond. */
const answerMs = 30_000;

/** The longest response that is read from an authorization server, in bytes. */
const maxAnswerBytes = 1_000_000;

declare const guarded: unique symbol;

/** The `fetch` of a sign-in: the functions of the SDK accept no other, and nothing else makes one. */
export interface AuthorizationFetch extends Fetch {
  readonly [guarded]: true;
  /**
   * Accepts a page that the browser is sent to, and returns where its host is, if that is known. Throws a `UserError` if
   * it is not encrypted, or if its host leads to this machine, as far as can be told now, for a server that is elsewhere:
   * the browser looks the name up once more.
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
  // An address of this machine in its networks, or in the internet, is told by the machine alone.
  const reachAsWritten = async (hostname: string) => {
    const known = reachOfName(hostname);
    const isElsewhere = known !== undefined && known !== 'machine';
    return isElsewhere ? ((await network.locate(hostname)) ?? known) : known;
  };
  let server: Promise<Reach> | undefined;
  const serverReach = () =>
    (server ??= (async () => {
      const found =
        (await reachAsWritten(serverUrl.hostname)) ?? (await answersFrom(serverUrl, network, name));
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
    const known = await reachAsWritten(url.hostname);
    if (known !== undefined && !(await check(known))) throw refusal(url, known);
    return network.send(url, init, { admits: check, name }).catch((error: unknown) => {
      if (refused !== undefined) throw refusal(url, refused);
      throw error instanceof TypeError ? new UnreachedError(url, error) : error;
    });
  });
  const send: Fetch = async (address, init) => {
    const url = new URL(address);
    assertSecureUrl(url, (t) => t('The address of the authorization server'));
    const until = AbortSignal.any([AbortSignal.timeout(answerMs), ...(signal ? [signal] : [])]);
    return limited(url, { ...init, signal: until });
  };
  const follow = followRedirects(send, (from, to, init) => {
    // Public documents may be elsewhere, but codes, tokens and client secrets are not sent there.
    const isOpen = !init.body && !new Headers(init.headers).has('authorization');
    if (!isOpen) sameOriginOnly(from, to, init);
  });
  const checkPage = async (url: URL) => {
    assertSecureUrl(url, (t) => t('The sign-in page'));
    const now = (await reachAsWritten(url.hostname)) ?? (await network.locate(url.hostname));
    const reach = now ?? seen.get(url.hostname);
    if (reach === 'machine' && !(await admits(url, reach))) throw refusal(url, reach);
    return reach;
  };
  const read = readableAnswers(follow);
  const encrypted: Fetch = (address, init) =>
    read(encryptedBeside(new URL(address), serverUrl), init);
  return Object.assign(encrypted, { checkPage }) as AuthorizationFetch;
}

/**
 * Returns where a server answers, by the farthest address that its name leads to at that moment. What cannot prove by a
 * certificate that it is that server, and what only a proxy can find, counts as far away.
 */
async function answersFrom(
  { protocol, origin }: URL,
  network: SignInNetwork,
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
    const { body } = await network.send(url, { signal }, route);
    void body?.cancel().catch(() => {});
    return farthest(found) ?? 'internet';
  } catch {
    return 'internet';
  }
}

function refusal({ href }: URL, reach: Reach): UserError {
  return new UserError((t) =>
    reach === 'machine'
      ? t('The server sends its sign-in to this machine, which is refused: {0}', addressLabel(href))
      : t(
          'The server sends its sign-in into a private network, which is refused: {0}. If you know that authorization server, set "oauth.issuer" to it.',
          addressLabel(href),
        ),
  );
}
