import type {
  AuthorizationServerMetadata,
  OAuthProtectedResourceMetadata,
} from '@modelcontextprotocol/client';
import { UserError } from '../../../base/errors';
import { addressLabel } from '../../../base/text/address';
import { trimEnd } from '../../../base/text/text';
import type { AuthorizationFetch } from '../authorizationFetch';
import { encryptedBeside } from '../../http/secureUrl';
import type { Challenge } from '../signInRequired';

/** The port that an address without one means. */
const defaultPorts: Readonly<Record<string, string>> = { http: '80', https: '443' };

/**
 * True if two texts name one authorization server: they are the same, or differ only in the slash at the end of a bare
 * origin, in the case of scheme and host, or in a default port (RFC 3986, sections 6.2.2.1 and 6.2.3). Paths differ with
 * every character, as tenants do. Never for the `iss` of an answer, which has to be repeated exactly (RFC 9207).
 */
export function sameIssuer(a: string, b: string): boolean {
  return a === b || normalized(a) === normalized(b);
}

function normalized(issuer: string): string {
  // Hosts are compared as they are written: whatever else an address may contain is not read here.
  const parts = /^(https?):\/\/([\w.-]+|\[[\da-f:.]+\])(?::(\d*))?((?:[/?#].*)?)$/is.exec(issuer);
  if (!parts) return issuer;
  const [scheme = '', host = '', port = '', rest = ''] = parts.slice(1);
  const own = port === '' || port === defaultPorts[scheme.toLowerCase()] ? '' : `:${port}`;
  return `${scheme}://${host}`.toLowerCase() + own + (rest === '/' ? '' : rest);
}

/** Returns each permission of several lists once, in order of appearance; `undefined` if there are none. */
export function joinScopes(...lists: readonly (string | undefined)[]): string | undefined {
  return [...new Set(lists.flatMap(split))].join(' ') || undefined;
}

/** Returns the permissions in `wanted` that `granted` does not include; `undefined` if there are none. */
export function uncovered(
  wanted: string | undefined,
  granted: string | undefined,
): string | undefined {
  const all = new Set(split(granted));
  return joinScopes(
    split(wanted)
      .filter((scope) => !all.has(scope))
      .join(' '),
  );
}

/**
 * Returns the permissions to ask for: those of an earlier sign-in, so that none is lost, those that are configured,
 * and those that the request was refused for; all that the server names if neither of the latter is known.
 */
export function scopeToRequest(known: {
  readonly configured: string | undefined;
  readonly challenged: string | undefined;
  readonly earlier: string | undefined;
  readonly place: SignInPlace;
}): string | undefined {
  const { configured, challenged, earlier, place } = known;
  const scope = joinScopes(earlier, configured, challenged ?? (configured ? '' : place.scopes));
  // Some authorization servers only issue a refresh token if asked to (OpenID Connect Core, section 11).
  const offline = scope && place.metadata?.scopes_supported?.includes('offline_access');
  return offline ? joinScopes(scope, 'offline_access') : scope;
}

function split(scopes: string | undefined): string[] {
  return scopes?.split(/\s+/).filter(Boolean) ?? [];
}

/** Returns where an authorization server exchanges codes and refresh tokens: what it says, or the usual place. */
export function tokenEndpointOf({ metadata, authorizationServer }: SignInPlace): URL {
  return new URL(metadata?.token_endpoint ?? '/token', authorizationServer);
}

declare const ofPlace: unique symbol;

/** What tokens are requested for (RFC 8707): found by {@link discoverSignIn}, which tells if it is more than the server. */
export type TokenResource = string & { readonly [ofPlace]: true };

/** Where and for what to sign in, as the server and its authorization server describe it. */
export interface SignInPlace {
  /** The authorization server by its own name, encrypted as it is reached: what the user's choice is compared with. */
  readonly issuer: string;
  readonly authorizationServer: string;
  /** Absent for servers of 2025-03-26 without metadata, which have their endpoints at the root. */
  readonly metadata?: AuthorizationServerMetadata;
  /** The resource that the tokens are requested for; absent for an identity provider. */
  readonly resource?: TokenResource;
  /** The resource, if it is more than the server: other servers would accept the tokens, too. */
  readonly wider?: string;
  /** True if the server has no metadata that names a resource: what accepts the tokens is not known. */
  readonly isUnlimited?: true;
  /** All permissions that the server knows, separated by spaces. */
  readonly scopes?: string;
}

/**
 * Returns the resource that requests to an authorization server name (RFC 8707). Microsoft's directory is told none where a
 * permission begins with one: it refuses any other name of it beside, and takes its audience from the permission.
 */
export function resourceToRequest(
  { resource, metadata }: { readonly [K in 'resource' | 'metadata']?: SignInPlace[K] | undefined },
  scope: string | undefined,
): TokenResource | undefined {
  return isDirectory(metadata) && split(scope).some((one) => one.includes('/'))
    ? undefined
    : resource;
}

function isDirectory(metadata: SignInPlace['metadata']): boolean {
  const endpoint = metadata?.authorization_endpoint ?? '';
  return endpoint.split(/[?#]/, 1)[0]?.endsWith('/oauth2/v2.0/authorize') === true;
}

/** A permission that names what accepts its tokens, by an address or as directories do: all before its last part. */
const naming = /^(?:[a-z][\w+.-]*:\/\/|urn:)|\/\.default$/i;

/**
 * Returns whom permissions name as what accepts their tokens, unless that is at the server's own origin or, of a directory,
 * which is told no resource beside, the server itself: each once. The server chooses its permissions, so it could get
 * tokens for the service of somebody else.
 */
export function audiencesOf(
  scope: string | undefined,
  server: URL,
  metadata?: SignInPlace['metadata'],
): readonly string[] {
  const isNamedHere = isDirectory(metadata);
  const named = split(scope)
    .filter((one) => naming.test(one) || (isNamedHere && one.includes('/')))
    .filter((one) => isNamedHere || addressIn(one, server)?.origin !== server.origin)
    .map((one) => {
      const [scheme = ''] = /^[a-z][\w+.-]*:\/\//i.exec(one) ?? [];
      const rest = one.slice(scheme.length);
      const last = rest.lastIndexOf('/');
      return scheme + (last < 0 ? rest : trimEnd(rest.slice(0, last), /\//));
    });
  return [...new Set(named)].filter((one) => !isExact(one, server));
}

/**
 * Asks the server for its authorization server, and the latter for its metadata (RFC 9728, RFC 8414,
 * OpenID Connect Discovery). Throws if the metadata describes another issuer or another resource.
 * @param options of several authorization servers, that with the `issuer` is asked, else the first; with `isRenewal`, the
 * resource does not matter: it is that of the grant
 */
export async function discoverSignIn(
  serverUrl: URL,
  challenge: Partial<Challenge>,
  fetchFn: AuthorizationFetch,
  {
    issuer,
    isRenewal = false,
  }: { readonly issuer?: string | undefined; readonly isRenewal?: boolean } = {},
): Promise<SignInPlace> {
  const sdk = await import('../../sdk');
  const { resourceMetadataUrl } = challenge;
  const named = await describedResource(serverUrl, resourceMetadataUrl, fetchFn);
  // A server of 2025-03-26 has no description, and is its own authorization server.
  const authorizationServerUrl =
    named?.authorization_servers?.find((one) => issuer !== undefined && sameIssuer(one, issuer)) ??
    named?.authorization_servers?.[0] ??
    String(new URL('/', serverUrl));
  const authorizationServerMetadata = await sdk.discoverAuthorizationServerMetadata(
    authorizationServerUrl,
    // Compared below, with what counts as the same.
    { skipIssuerValidation: true, fetchFn },
  );
  assertIssuer(authorizationServerMetadata, authorizationServerUrl);
  const isWide = beyond(named?.resource, serverUrl) !== undefined;
  const resourceMetadata =
    isWide && !isRenewal
      ? ((await exactMetadata(serverUrl, authorizationServerUrl, resourceMetadataUrl, fetchFn)) ??
        named)
      : named;
  const told = resourceMetadata?.resource;
  const wider = beyond(told, serverUrl);
  if (wider !== undefined && !isWider(wider, serverUrl))
    throw new UserError((t) =>
      t('The server describes the sign-in of another server ({0}).', addressLabel(wider)),
    );
  // A grant of before is renewed for what it was made for.
  const resource = told === undefined && isRenewal ? undefined : asResource(told, serverUrl);
  const scopes = resourceMetadata?.scopes_supported?.join(' ');
  return {
    issuer: issuerOf(authorizationServerMetadata, authorizationServerUrl),
    authorizationServer: authorizationServerUrl,
    ...(authorizationServerMetadata && { metadata: authorizationServerMetadata }),
    ...(resource && { resource }),
    ...(wider && { wider }),
    ...(told === undefined && { isUnlimited: true }),
    ...(scopes && { scopes }),
  };
}

/**
 * Returns how a server describes itself; `undefined` if it does not. One that points to where nothing is, such as a name
 * inside its own network, is asked at the usual places.
 */
async function describedResource(
  serverUrl: URL,
  pointer: URL | undefined,
  fetchFn: AuthorizationFetch,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const sdk = await import('../../sdk');
  const load = (resourceMetadataUrl?: URL) =>
    sdk.discoverOAuthProtectedResourceMetadata(
      serverUrl,
      { ...(resourceMetadataUrl && { resourceMetadataUrl }) },
      fetchFn,
    );
  let unreached: TypeError | undefined;
  for (const url of pointer ? [pointer, undefined] : [undefined])
    try {
      return await load(url);
    } catch (error) {
      if (error instanceof TypeError) unreached ??= error;
    }
  if (unreached) throw unreached;
  return undefined;
}

/** Returns what tokens are valid for if that is another resource than the server itself. */
export function beyond(resource: string | undefined, server: URL): string | undefined {
  return resource === undefined || isExact(resource, server) ? undefined : resource;
}

/** True if a resource is the server itself; a slash at the end makes no difference to a path. */
function isExact(resource: string, server: URL): boolean {
  const { origin, pathname, search } = server;
  const other = addressIn(resource, server);
  return (
    other?.origin === origin &&
    other.search === search &&
    withoutSlash(other.pathname) === withoutSlash(pathname)
  );
}

/** True if the server is a part of a resource: below its path, or told apart by what follows the question mark. */
function isWider(resource: string, server: URL): boolean {
  const { origin, pathname } = server;
  const other = addressIn(resource, server);
  return (
    other?.origin === origin &&
    other.search === '' &&
    `${withoutSlash(pathname)}/`.startsWith(`${withoutSlash(other.pathname)}/`)
  );
}

/**
 * What a URL is read without: blanks, steps of its path, backslashes, and any number of slashes before its host but two.
 * An authorization server that compares texts takes it for another.
 */
const unread = /[\s\\]|^[a-z]+:(?!\/\/[^/])|\/(?:\.|%2e){1,2}(?:[/?#]|$)/i;

/** Reads a resource; `undefined` if it has more than an address, which an authorization server may take for another. */
function addressIn(resource: string, server: URL): URL | undefined {
  if (!URL.canParse(resource) || unread.test(resource)) return undefined;
  const url = encryptedBeside(new URL(resource), server);
  return url.username || url.password || url.href.includes('#') ? undefined : url;
}

/** Returns what tokens are requested for at a place: the server itself, where the place does not say. */
export function resourceFor({ resource }: SignInPlace, server: URL): TokenResource {
  return resource ?? asResource(undefined, server);
}

/** Without a resource that is told, it is the address of the server as the protocol wants it. */
function asResource(told: string | undefined, { origin, pathname, search }: URL): TokenResource {
  const address = pathname === '/' && search === '' ? origin : origin + pathname + search;
  return (told ?? address) as TokenResource;
}

function withoutSlash(path: string): string {
  return path.replace(/\/$/, '');
}

/**
 * Asks for the metadata of the exact address, where what the server pointed to is that of more than it; `undefined` if
 * there is none, or it leads to another authorization server.
 */
async function exactMetadata(
  serverUrl: URL,
  authorizationServer: string,
  asked: URL | undefined,
  fetchFn: AuthorizationFetch,
): Promise<OAuthProtectedResourceMetadata | undefined> {
  const path = withoutSlash(serverUrl.pathname);
  const url = new URL(`/.well-known/oauth-protected-resource${path}`, serverUrl.origin);
  url.search = serverUrl.search;
  // Without a pointer, this was the first place to be asked.
  const isRoot = path === '' && url.search === '';
  if (asked === undefined || asked.href === url.href || isRoot) return undefined;
  const sdk = await import('../../sdk');
  const options = { resourceMetadataUrl: url };
  const exact = await sdk
    .discoverOAuthProtectedResourceMetadata(serverUrl, options, fetchFn)
    .catch(() => undefined);
  const isSame = exact?.authorization_servers?.some((one) => sameIssuer(one, authorizationServer));
  return exact && isSame && isExact(exact.resource, serverUrl) ? exact : undefined;
}

/** Returns the issuer of a place: one that does not know that its proxy encrypts what it says is known as it is reached. */
function issuerOf(metadata: AuthorizationServerMetadata | undefined, reached: string): string {
  return metadata && sameIssuer(metadata.issuer, reached) ? metadata.issuer : reached;
}

/** Throws a `UserError` if an authorization server describes another than the one it was asked about (RFC 8414, 3.3). */
export function assertIssuer(
  metadata: AuthorizationServerMetadata | undefined,
  expected: string,
): void {
  if (!metadata || sameIssuer(metadata.issuer, expected)) return;
  // It may not know that its proxy encrypts what it says.
  if (sameIssuer(metadata.issuer.replace(/^http:/i, 'https:'), expected)) return;
  throw new UserError((t) =>
    t(
      'Issuer mismatch: {0} describes itself as {1}. Nobody can sign in there until its operator corrects that.',
      addressLabel(expected),
      addressLabel(metadata.issuer),
    ),
  );
}
