import { configuredClient } from '../client/clientRegistration';
import { createGrant, type Grant } from './credentials';
import { discoverSignIn } from '../client/discovery';
import { openDpopSession } from './dpop';
import type { OAuthConfig } from '../client/oauthConfig';
import { createAuthorizationFetch } from '../secureUrl';
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
  const client = configuredClient(oauth) ?? rest.client;
  const refreshToken = tokens?.refresh_token;
  // A secret goes only where the configuration says, as at a sign-in.
  if (client.client_secret && oauth?.issuer === undefined) return rest;
  if (!refreshToken || client.client_id !== rest.client.client_id) return rest;
  const fetchFn = createAuthorizationFetch(url);
  const place = await discoverSignIn(url, challenge, fetchFn);
  if (place.issuer !== issuer) return rest;
  const sdk = await import('../../sdk');
  try {
    const renewed = await sdk.refreshAuthorization(place.authorizationServer, {
      ...(place.metadata && { metadata: place.metadata }),
      ...(place.resource && { resource: place.resource }),
      ...(rest.dpopKey && { dpop: await openDpopSession(rest.dpopKey) }),
      clientInformation: client,
      refreshToken,
      fetchFn,
    });
    return createGrant({ ...rest, tokens: renewed });
  } catch (error) {
    if (!(error instanceof sdk.OAuthError)) throw error;
    return temporary.has(error.code) ? options.grant : rest;
  }
}
