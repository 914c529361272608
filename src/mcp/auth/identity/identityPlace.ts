import { UserError } from '../../../base/errors';
import { plainLabel } from '../../../base/text/text';
import type { SignInPlace } from '../client/discovery';
import { createAuthorizationFetch } from '../secureUrl';
import type { IdentityProvider } from './identityProvider';

/** Where an identity provider is spoken to. */
export interface IdentityPlace extends SignInPlace {
  readonly tokenEndpoint: string;
}

/** Looks up where an identity provider exchanges tokens, as far as that is not configured. */
export async function discoverIdentityProvider(
  provider: IdentityProvider,
  signal: AbortSignal,
): Promise<IdentityPlace> {
  const { issuer, tokenEndpoint } = provider;
  const place = { issuer, authorizationServer: issuer };
  if (tokenEndpoint !== undefined) return { ...place, tokenEndpoint };
  const fetchFn = createAuthorizationFetch(new URL(issuer), signal);
  const sdk = await import('../../sdk');
  const metadata = await sdk.discoverAuthorizationServerMetadata(issuer, { fetchFn });
  if (!metadata)
    throw new UserError((t) =>
      t(
        'The identity provider {0} does not describe itself. Check its "issuer", or set its "tokenEndpoint".',
        plainLabel(issuer),
      ),
    );
  return { ...place, metadata, tokenEndpoint: metadata.token_endpoint };
}
