import type { OAuthClientProvider, OAuthTokens } from '@modelcontextprotocol/client';
import { type SignInPlace, resourceToRequest } from '../client/discovery';
import type { OAuthConfig } from '../../serverConfig';
import type { AuthorizationFetch } from '../authorizationFetch';

/** A configuration that gets tokens without a user. */
export type UnattendedConfig = OAuthConfig & Required<Pick<OAuthConfig, 'grantType' | 'clientId'>>;

/** True if tokens are obtained without a user. */
export function isUnattended(oauth: OAuthConfig | undefined): oauth is UnattendedConfig {
  return oauth?.grantType !== undefined && oauth.clientId !== undefined;
}

/** Obtains tokens in the configured way (RFC 6749, section 4.4; RFC 7523). */
export async function fetchUnattended(options: {
  readonly place: SignInPlace;
  readonly oauth: UnattendedConfig;
  readonly scope: string | undefined;
  readonly fetchFn: AuthorizationFetch;
}): Promise<OAuthTokens> {
  const { place, oauth, scope, fetchFn } = options;
  const { metadata } = place;
  // The SDK compares it with what that calls itself.
  const { issuer } = metadata ?? place;
  const resource = resourceToRequest(place, scope);
  const sdk = await import('../../sdk');
  return sdk.fetchToken(await createProvider(oauth, issuer), place.authorizationServer, {
    ...(metadata && { metadata }),
    ...(resource && { resource }),
    ...(scope && { scope }),
    fetchFn,
  });
}

async function createProvider(
  { clientId, clientSecret, privateKey, algorithm = 'ES256', assertion }: UnattendedConfig,
  expectedIssuer: string,
): Promise<OAuthClientProvider> {
  const sdk = await import('../../sdk');
  if (privateKey)
    return new sdk.PrivateKeyJwtProvider({ clientId, privateKey, algorithm, expectedIssuer });
  const provider: OAuthClientProvider = new sdk.ClientCredentialsProvider({
    clientId,
    clientSecret: clientSecret ?? '',
    expectedIssuer,
  });
  if (clientSecret === undefined)
    provider.clientInformation = () => ({ client_id: clientId, issuer: expectedIssuer });
  if (assertion)
    provider.prepareTokenRequest = (scope) =>
      new URLSearchParams({
        grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
        assertion,
        ...(scope && { scope }),
      });
  return provider;
}
