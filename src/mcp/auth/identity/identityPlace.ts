import { UserError } from '../../../base/errors';
import { plainLabel } from '../../../base/text/text';
import type { SignInPlace } from '../client/discovery';
import { createAuthorizationFetch } from '../secureUrl';
import type { IdentityProvider } from './identityProvider';

/** The addresses of an identity provider. */
export interface IdentityPlace extends SignInPlace {
  readonly tokenEndpoint: string;
}

/** Looks up where an identity provider exchanges tokens, unless configured; throws a `UserError` without metadata. */
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
