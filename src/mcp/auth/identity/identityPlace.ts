import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { UserError } from '../../../base/errors';
import { plainLabel } from '../../../base/text/text';
import { assertIssuer, type SignInPlace } from '../client/discovery';
import { createAuthorizationFetch, type SignInNetwork } from '../authorizationFetch';
import type { IdentityProvider } from './identityProvider';

/** Returns where an identity provider exchanges tokens, looking it up unless it is configured. */
export async function findTokenEndpoint(
  provider: IdentityProvider,
  network: SignInNetwork,
  signal: AbortSignal,
): Promise<string> {
  const { issuer, tokenEndpoint } = provider;
  if (tokenEndpoint !== undefined) return tokenEndpoint;
  const metadata = await discoverMetadata(provider, network, signal);
  if (!metadata)
    throw new UserError((t) =>
      t(
        'The identity provider {0} does not describe itself. Check its "issuer", or set its "tokenEndpoint".',
        plainLabel(issuer),
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
  network: SignInNetwork,
  signal: AbortSignal,
): Promise<SignInPlace> {
  const { issuer, tokenEndpoint } = provider;
  const metadata = await discoverMetadata(provider, network, signal);
  if (!metadata)
    throw new UserError((t) =>
      t(
        'The identity provider {0} does not describe itself, so its sign-in page is unknown. Check its "issuer", or set its "authenticationProvider".',
        plainLabel(issuer),
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
  network: SignInNetwork,
  signal: AbortSignal,
): Promise<AuthorizationServerMetadata | undefined> {
  const fetchFn = createAuthorizationFetch(new URL(issuer), network, { signal });
  const sdk = await import('../../sdk');
  const metadata = await sdk.discoverAuthorizationServerMetadata(issuer, {
    fetchFn,
    skipIssuerValidation: true,
  });
  assertIssuer(metadata, issuer);
  return metadata;
}
