import type { OAuthTokens } from '@modelcontextprotocol/client';
import { configuredClient } from '../client/clientRegistration';
import { createGrant, type Grant, type OAuthClient } from './credentials';
import { discoverSignIn, type SignInPlace } from '../client/discovery';
import { openDpopSession, type DpopKey } from './dpop';
import type { OAuthConfig } from '../client/oauthConfig';
import { createAuthorizationFetch, type Fetch } from '../secureUrl';
import type { Challenge } from '../signInRequired';

/** The errors that may pass by themselves; the SDK takes every answer that is no OAuth for the first. */
const temporary = new Set(['server_error', 'temporarily_unavailable', 'too_many_requests']);

/**
 * Exchanges the refresh token of a grant for new tokens and returns the grant to keep from now on:
 * with the new tokens, without any where only a new sign-in helps, or as it was where the
 * authorization server could not answer. It is asked only if the server still names the one that
 * issued the grant. Rejects when it cannot be reached.
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
  // The user's secret goes only where the configuration says, as at a sign-in; one of a registration is the issuer's own.
  if (configured?.client_secret && oauth?.issuer === undefined) return rest;
  const client = configured ?? rest.client;
  if (!tokens?.refresh_token || client.client_id !== rest.client.client_id) return rest;
  const fetchFn = createAuthorizationFetch(url);
  const place = await discoverSignIn(url, challenge, fetchFn);
  if (place.issuer !== issuer) return rest;
  const renewed = await renewTokens({ place, client, tokens, dpopKey: rest.dpopKey, fetchFn });
  if (renewed === 'later') return options.grant;
  if (renewed === 'void') return rest;
  // Without its addresses a client is not used again: the next sign-in registers another.
  if (renewed === 'unknownClient') return { ...rest, client: { client_id: client.client_id } };
  return createGrant({ ...rest, tokens: renewed });
}

/**
 * Exchanges a refresh token; `later` where that may succeed another time, `void` where it never will,
 * `unknownClient` where the authorization server does not know who asks.
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
