import type { OAuthTokens } from '@modelcontextprotocol/client';
import type { OAuthConfig } from '../serverConfig';
import { configuredClient } from './clientRegistration';
import type { Grant } from './credentials';
import { discoverSignIn } from './discovery';
import { createAuthorizationFetch } from './secureUrl';
import type { Challenge } from './signInRequired';

/** The errors that only a new sign-in helps against (RFC 6749, 5.2). */
const voidGrant = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);

/**
 * Exchanges the refresh token for new tokens; `undefined` when only a new sign-in helps. It goes to
 * the authorization server that the server names now, and only if that is the one that issued it.
 */
export async function renewTokens(options: {
  readonly serverUrl: URL;
  readonly oauth: OAuthConfig | undefined;
  readonly grant: Grant & { readonly issuer: string };
  readonly challenge: Partial<Challenge>;
}): Promise<OAuthTokens | undefined> {
  const { serverUrl, oauth, grant, challenge } = options;
  const client = configuredClient(oauth) ?? grant.client;
  const refreshToken = grant.tokens?.refresh_token;
  if (!refreshToken || client.client_id !== grant.client.client_id) return undefined;
  const fetchFn = createAuthorizationFetch(serverUrl);
  const place = await discoverSignIn(serverUrl, challenge, fetchFn);
  if (place.issuer !== grant.issuer) return undefined;
  const sdk = await import('../sdk');
  try {
    return await sdk.refreshAuthorization(place.authorizationServer, {
      ...(place.metadata && { metadata: place.metadata }),
      ...(place.resource && { resource: place.resource }),
      clientInformation: client,
      refreshToken,
      fetchFn,
    });
  } catch (error) {
    if (error instanceof sdk.OAuthError && voidGrant.has(error.code)) return undefined;
    throw error;
  }
}
