import type { OAuthTokens } from '@modelcontextprotocol/client';
import { configuredClient, isUnknownClient, metadataFor } from '../client/clientRegistration';
import { createGrant, type Grant, type OAuthClient } from './credentials';
import {
  type SignInPlace,
  type TokenResource,
  discoverSignIn,
  resourceToRequest,
  sameIssuer,
  tokenEndpointOf,
} from '../client/discovery';
import { openDpopSession } from './dpop';
import type { OAuthConfig } from '../../serverConfig';
import { createAuthorizationFetch, type AuthorizationFetch } from '../authorizationFetch';
import type { SignInNetwork } from '../../http/reach';
import type { Challenge } from '../signInRequired';

/** The errors that may go away on their own; the SDK reports every response that is not OAuth as the first. */
const temporary: ReadonlySet<string> = new Set([
  'server_error',
  'temporarily_unavailable',
  'too_many_requests',
]);

/** What a renewal may name, and what Microsoft's directory says by its numbers, whatever the error is called. */
const refusals = {
  /** Too many permissions, unknown ones, none, ones that nobody agreed to, or those of the client itself. */
  scope: {
    codes: ['invalid_scope'],
    numbers: /\bAADSTS(28000|28002|28003|65001|65005|70011|90009|500011|650053|650057|900144)\b/,
    word: /\bscopes?\b/i,
  },
  /** A resource that is unknown, that does not go with the permissions, or that it takes none. */
  resource: {
    codes: ['invalid_target'],
    numbers: /\bAADSTS(50001|901002|9010010)\b/,
    word: /\bresource\b/i,
  },
} as const;

/**
 * Exchanges the refresh token of a grant for new tokens and returns the grant to keep from now on:
 * with the new tokens, without any if only a new sign-in helps, or unchanged if the authorization
 * server could not answer. Asks it only if the server still names it as the issuer. Rejects if it
 * cannot be reached.
 */
export async function renewGrant(options: {
  readonly url: URL;
  readonly oauth: OAuthConfig | undefined;
  readonly grant: Grant & { readonly issuer: string };
  readonly challenge: Partial<Challenge>;
  readonly network: SignInNetwork;
}): Promise<Grant> {
  const { url, oauth, challenge, network } = options;
  const { issuer, tokens, renewAt: _old, ...rest } = options.grant;
  const configured = configuredClient(oauth);
  // As at a sign-in, a configured secret is only sent to the configured issuer; a registered one is the issuer's own.
  if (configured?.client_secret && oauth?.issuer === undefined) return rest;
  const client = configured ?? rest.client;
  if (!tokens?.refresh_token || client.client_id !== rest.client.client_id) return rest;
  const fetchFn = createAuthorizationFetch(url, network, { issuer: oauth?.issuer });
  const place = await discoverSignIn(url, challenge, fetchFn, { issuer, isRenewal: true });
  if (!sameIssuer(place.issuer, issuer)) return rest;
  const renewed = await renewTokens({ place, client, grant: options.grant, fetchFn });
  if (renewed === 'later') return options.grant;
  if (renewed === 'void') return rest;
  // A client without redirect URLs is not used again: the next sign-in registers another.
  if (renewed === 'unknownClient') return { ...rest, client: { client_id: client.client_id } };
  return createGrant({ ...rest, ...renewed });
}

/**
 * Exchanges a refresh token; returns `later` if that may succeed another time, `void` if it never will,
 * and `unknownClient` if the authorization server does not know the client. The permissions and the resource of the sign-in
 * are named, as some need them; one that refuses either is asked once more without, and from then on that way first.
 */
export async function renewTokens(options: {
  readonly place: SignInPlace;
  readonly client: OAuthClient;
  readonly grant: Grant;
  readonly fetchFn: AuthorizationFetch;
}): Promise<
  | (Pick<Grant, 'renewsBare' | 'renewsWithoutResource'> & { readonly tokens: OAuthTokens })
  | 'later'
  | 'void'
  | 'unknownClient'
> {
  const { place, client, grant, fetchFn } = options;
  const { tokens, requested, renewsBare, renewsWithoutResource, dpopKey } = grant;
  if (!tokens?.refresh_token) return 'void';
  // The user has not seen where it would go now: a new sign-in shows that. Without metadata, it is only a guess.
  const { origin } = tokenEndpointOf(place);
  if ((grant.tokenOrigin ?? origin) !== origin) return place.metadata ? 'void' : 'later';
  const sdk = await import('../../sdk');
  const metadata = metadataFor(client, place.metadata);
  const own = { metadata: place.metadata, resource: grant.resource ?? place.resource };
  const known = { scope: requested, resource: resourceToRequest(own, requested) };
  const refresh = async ({ scope, resource }: Named) =>
    sdk.refreshAuthorization(place.authorizationServer, {
      ...(metadata && { metadata }),
      ...(resource && { resource }),
      ...(scope && { scope }),
      ...(dpopKey && { dpop: await openDpopSession(dpopKey) }),
      clientInformation: client,
      refreshToken: tokens.refresh_token ?? '',
      fetchFn,
    });
  let named: Named = {
    ...(!renewsBare && { scope: known.scope }),
    ...(!renewsWithoutResource && { resource: known.resource }),
  };
  const left = new Set<keyof Named>(['scope', 'resource']);
  let refusal: string;
  for (;;) {
    try {
      return {
        tokens: await refresh(named),
        renewsBare: known.scope !== undefined && named.scope === undefined,
        renewsWithoutResource: known.resource !== undefined && named.resource === undefined,
      };
    } catch (error) {
      if (!(error instanceof sdk.OAuthError)) throw error;
      refusal = error.code;
      const what = [...left].find((one) => known[one] !== undefined && isAbout(error, one));
      if (what === undefined) break;
      // Each is named, or not named any more, once.
      left.delete(what);
      named = { ...named, [what]: named[what] === undefined ? known[what] : undefined };
    }
  }
  if (isUnknownClient(refusal)) return 'unknownClient';
  return temporary.has(refusal) ? 'later' : 'void';
}

/** What a renewal names beside the refresh token. */
interface Named {
  readonly scope?: string | undefined;
  readonly resource?: TokenResource | undefined;
}

/** True if a request was refused for what it names, or for naming none. */
function isAbout(
  { code, message }: { readonly code: string; readonly message: string },
  what: keyof typeof refusals,
): boolean {
  const { codes, numbers, word } = refusals[what];
  if (codes.some((one) => one === code) || numbers.test(message)) return true;
  return code === 'invalid_request' && word.test(message);
}
