import type { OAuthTokens } from '@modelcontextprotocol/client';
import { configuredClient } from '../client/clientRegistration';
import { createGrant, type Grant, type OAuthClient } from './credentials';
import { discoverSignIn, type SignInPlace } from '../client/discovery';
import { openDpopSession, type DpopKey } from './dpop';
import type { OAuthConfig } from '../client/oauthConfig';
import { createAuthorizationFetch, type Fetch } from '../secureUrl';
import type { Challenge } from '../signInRequired';

/** The errors that may go away on their own; the SDK reports every response that is not OAuth as the first. */
const temporary = new Set(['server_error', 'temporarily_unavailable', 'too_many_requests']);

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
}): Promise<Grant> {
  const { url, oauth, challenge } = options;
  const { issuer, tokens, renewAt: _old, ...rest } = options.grant;
  const configured = configuredClient(oauth);
  // As at a sign-in, a configured secret is only sent to the configured issuer; a registered one is the issuer's own.
  if (configured?.client_secret && oauth?.issuer === undefined) return rest;
  const client = configured ?? rest.client;
  if (!tokens?.refresh_token || client.client_id !== rest.client.client_id) return rest;
  const fetchFn = createAuthorizationFetch(url);
  const place = await discoverSignIn(url, challenge, fetchFn);
  if (place.issuer !== issuer) return rest;
  const renewed = await renewTokens({ place, client, tokens, dpopKey: rest.dpopKey, fetchFn });
  if (renewed === 'later') return options.grant;
  if (renewed === 'void') return rest;
  // A client without redirect URLs is not used again: the next sign-in registers another.
  if (renewed === 'unknownClient') return { ...rest, client: { client_id: client.client_id } };
  return createGrant({ ...rest, tokens: renewed });
}

/**
 * Exchanges a refresh token; returns `later` if that may succeed another time, `void` if it never will,
 * and `unknownClient` if the authorization server does not know the client.
 */
export async function renewTokens(options: {
  readonly place: SignInPlace;
  readonly client: OAuthClient;
  readonly tokens: OAuthTokens | undefined;
  readonly dpopKey?: DpopKey | undefined;
  readonly fetchFn: Fetch;
}): Promise<OAuthTokens | 'later' | 'void' | 'unknownClient'> {
  const { place, client, tokens, dpopKey, fetchFn } = options;
  if (!tokens?.refresh_token) return 'void';
  const sdk = await import('../../sdk');
  try {
    return await sdk.refreshAuthorization(place.authorizationServer, {
      ...(place.metadata && { metadata: place.metadata }),
      ...(place.resource && { resource: place.resource }),
      ...(dpopKey && { dpop: await openDpopSession(dpopKey) }),
      clientInformation: client,
      refreshToken: tokens.refresh_token,
      fetchFn,
    });
  } catch (error) {
    if (!(error instanceof sdk.OAuthError)) throw error;
    if (error.code === 'invalid_client') return 'unknownClient';
    return temporary.has(error.code) ? 'later' : 'void';
  }
}
