import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { UserError } from '../../../base/errors';
import { addressLabel } from '../../../base/text/address';
import { assertIssuer, type SignInPlace } from '../client/discovery';
import { createAuthorizationFetch, type AuthorizationFetch } from '../authorizationFetch';
import type { SignInNetwork } from '../../http/reach';
import type { IdentityProvider } from './identity';

/** Creates the `fetch` for all requests to an identity provider: the user named its places, wherever they are. */
export function fetchOfProvider(
  { issuer, tokenEndpoint = issuer }: IdentityProvider,
  network: SignInNetwork,
  signal: AbortSignal,
): AuthorizationFetch {
  const identityProvider = [issuer, tokenEndpoint];
  return createAuthorizationFetch(new URL(issuer), network, { signal, identityProvider });
}

/** Returns where an identity provider exchanges tokens, looking it up unless it is configured. */
export async function findTokenEndpoint(
  provider: IdentityProvider,
  fetchFn: AuthorizationFetch,
): Promise<string> {
  const { issuer, tokenEndpoint } = provider;
  if (tokenEndpoint !== undefined) return tokenEndpoint;
  const metadata = await discoverMetadata(provider, fetchFn);
  if (!metadata)
    throw new UserError((t) =>
      t(
        'The identity provider {0} does not describe itself. Check its "issuer", or set its "tokenEndpoint".',
        addressLabel(issuer),
      ),
    );
  return metadata.token_endpoint;
}

/**
 * Looks up where users sign in at an identity provider with the browser; tokens are exchanged where that is configured.
 * Throws a `UserError` without metadata.
 */
export async function discoverIdentityProvider(
  provider: IdentityProvider,
  fetchFn: AuthorizationFetch,
): Promise<SignInPlace> {
  const { issuer, tokenEndpoint } = provider;
  const metadata = await discoverMetadata(provider, fetchFn);
  if (!metadata)
    throw new UserError((t) =>
      t(
        'The identity provider {0} does not describe itself, so its sign-in page is unknown. Check its "issuer", or set its "authenticationProvider".',
        addressLabel(issuer),
      ),
    );
  return {
    issuer,
    authorizationServer: issuer,
    metadata:
      tokenEndpoint === undefined ? metadata : { ...metadata, token_endpoint: tokenEndpoint },
  };
}

async function discoverMetadata(
  { issuer }: IdentityProvider,
  fetchFn: AuthorizationFetch,
): Promise<AuthorizationServerMetadata | undefined> {
  const sdk = await import('../../sdk');
  const metadata = await sdk.discoverAuthorizationServerMetadata(issuer, {
    fetchFn,
    skipIssuerValidation: true,
  });
  assertIssuer(metadata, issuer);
  return metadata;
}
