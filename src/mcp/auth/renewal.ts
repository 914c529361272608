import { configuredClient } from './clientRegistration';
import { createGrant, type Grant } from './credentials';
import { discoverSignIn } from './discovery';
import { openDpopSession } from './dpop';
import type { OAuthConfig } from './oauthConfig';
import { createAuthorizationFetch } from './secureUrl';
import type { Challenge } from './signInRequired';

/** The errors that only a new sign-in helps against (RFC 6749, 5.2). */
const voidGrant = new Set(['invalid_grant', 'invalid_client', 'unauthorized_client']);

/**
 * Exchanges the refresh token of a grant for new tokens; `undefined` when only a new sign-in helps.
 * It goes to the authorization server that the server names now, and only if that issued it.
 */
export async function renewGrant(options: {
  readonly url: URL;
  readonly oauth: OAuthConfig | undefined;
  readonly grant: Grant & { readonly issuer: string };
  readonly challenge: Partial<Challenge>;
}): Promise<Grant | undefined> {
  const { url, oauth, grant, challenge } = options;
  const client = configuredClient(oauth) ?? grant.client;
  const refreshToken = grant.tokens?.refresh_token;
  if (!refreshToken || client.client_id !== grant.client.client_id) return undefined;
  const fetchFn = createAuthorizationFetch(url);
  const place = await discoverSignIn(url, challenge, fetchFn);
  if (place.issuer !== grant.issuer) return undefined;
  const sdk = await import('../sdk');
  try {
    const tokens = await sdk.refreshAuthorization(place.authorizationServer, {
      ...(place.metadata && { metadata: place.metadata }),
      ...(place.resource && { resource: place.resource }),
      ...(grant.dpopKey && { dpop: await openDpopSession(grant.dpopKey) }),
      clientInformation: client,
      refreshToken,
      fetchFn,
    });
    return createGrant({ ...grant, tokens });
  } catch (error) {
    if (error instanceof sdk.OAuthError && voidGrant.has(error.code)) return undefined;
    throw error;
  }
}
