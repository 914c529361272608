import type { OAuthTokens } from '@modelcontextprotocol/client';
import { configuredClient, metadataFor } from '../client/clientRegistration';
import { createGrant, type Grant, type OAuthClient } from './credentials';
import { type SignInPlace, discoverSignIn, sameIssuer } from '../client/discovery';
import { openDpopSession } from './dpop';
import type { OAuthConfig } from '../../serverConfig';
import { createAuthorizationFetch, type AuthorizationFetch } from '../authorizationFetch';
import type { SignInNetwork } from '../../http/reach';
import type { Challenge } from '../signInRequired';

/** The errors that may go away on their own; the SDK reports every response that is not OAuth as the first. */
const temporary = new Set(['server_error', 'temporarily_unavailable', 'too_many_requests']);

/**
 * The numbers by which Microsoft's directory says that it is about the permissions a request names or does not name,
 * whatever the error is called: too many resources, unknown, missing, not consented to, or those of the client itself.
 */
const scopeNumbers =
  /\bAADSTS(28000|28002|28003|65001|65005|70011|90009|500011|650053|650057|900144|9010010)\b/;

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
  const place = await discoverSignIn(url, challenge, fetchFn, true);
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
 * and `unknownClient` if the authorization server does not know the client. The permissions of the sign-in are named, as
 * some need them; one that refuses them is asked once more without, and from then on that way first.
 */
export async function renewTokens(options: {
  readonly place: SignInPlace;
  readonly client: OAuthClient;
  readonly grant: Grant;
  readonly fetchFn: AuthorizationFetch;
}): Promise<
  | { readonly tokens: OAuthTokens; readonly renewsBare: boolean }
  | 'later'
  | 'void'
  | 'unknownClient'
> {
  const { place, client, grant, fetchFn } = options;
  const { tokens, requested, renewsBare, dpopKey, resource = place.resource } = grant;
  if (!tokens?.refresh_token) return 'void';
  const sdk = await import('../../sdk');
  const metadata = metadataFor(client, place.metadata);
  const refresh = async (scope: string | undefined) =>
    sdk.refreshAuthorization(place.authorizationServer, {
      ...(metadata && { metadata }),
      ...(resource && { resource }),
      ...(scope && { scope }),
      ...(dpopKey && { dpop: await openDpopSession(dpopKey) }),
      clientInformation: client,
      refreshToken: tokens.refresh_token ?? '',
      fetchFn,
    });
  const ways = renewsBare ? [undefined, requested] : [requested, undefined];
  let refusal: string | undefined;
  for (const [index, scope] of ways.entries()) {
    // Nothing was requested, so that both ways are the same.
    if (index > 0 && requested === undefined) break;
    try {
      const renewed = await refresh(scope);
      return { tokens: renewed, renewsBare: scope === undefined && requested !== undefined };
    } catch (error) {
      if (!(error instanceof sdk.OAuthError)) throw error;
      refusal = error.code;
      if (!isAboutScope(error)) break;
    }
  }
  if (refusal === 'invalid_client') return 'unknownClient';
  return refusal !== undefined && temporary.has(refusal) ? 'later' : 'void';
}

/** True if a request was refused for the permissions that it names, or for naming none. */
function isAboutScope({ code, message }: { readonly code: string; readonly message: string }) {
  if (code === 'invalid_scope' || scopeNumbers.test(message)) return true;
  return code === 'invalid_request' && /\bscopes?\b/i.test(message);
}
