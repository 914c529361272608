import type { OAuthTokens } from '@modelcontextprotocol/client';
import { errorMessage, UserError } from '../../../base/errors';
import { addressLabel } from '../../../base/text/address';
import { plainLabel, wordsLabel } from '../../../base/text/text';
import { resourceFor, type SignInPlace } from '../client/discovery';
import type { OAuthConfig } from '../../serverConfig';
import type { AuthorizationFetch } from '../authorizationFetch';
import type { SignInNetwork } from '../../http/reach';
import { SignInRequiredError } from '../signInRequired';
import { fetchUnattended } from '../tokens/unattended';
import {
  type FindIdentity,
  type Identity,
  type IdentityRequest,
  checkIdentityToken,
  isFor,
  jwtClaims,
} from './identity';
import { fetchOfProvider, findTokenEndpoint } from './identityPlace';

/** A configuration that signs in with the user's identity at an organization. */
export type ManagedConfig = OAuthConfig & Required<Pick<OAuthConfig, 'provider' | 'clientId'>>;

/** True if an identity provider decides who may use the server. */
export function isManaged(oauth: OAuthConfig | undefined): oauth is ManagedConfig {
  return oauth?.provider !== undefined && oauth.clientId !== undefined;
}

interface IdentityExchange {
  readonly place: SignInPlace;
  readonly url: URL;
  readonly oauth: ManagedConfig;
  readonly scope: string | undefined;
  readonly fetchFn: AuthorizationFetch;
  readonly findIdentity?: FindIdentity | undefined;
  readonly network: SignInNetwork;
  readonly request: IdentityRequest;
}

/**
 * Obtains tokens by enterprise-managed authorization: exchanges the user's identity token at their identity
 * provider for a grant (RFC 8693, ID-JAG) that only this server's authorization server accepts, and the grant
 * there for tokens (RFC 7523). Rejects with a {@link SignInRequiredError} if the user would have to be asked
 * but must not be.
 */
export async function exchangeIdentity(options: IdentityExchange): Promise<OAuthTokens> {
  const { place, oauth, scope, request } = options;
  const identity = await options.findIdentity?.(oauth.provider);
  if (!identity)
    throw new UserError((t) =>
      t(
        'The identity provider "{0}" is not configured. Add it to "mcpWorkbench.identityProviders" in your user settings.',
        plainLabel(oauth.provider),
      ),
    );
  const idToken = await identity.source.token(request);
  if (idToken === undefined) throw new SignInRequiredError();
  checkIdentityToken(idToken, identity);
  const assertion = await requestGrant(identity, idToken, options);
  const bearer = { ...oauth, grantType: 'jwt_bearer', assertion } as const;
  return fetchUnattended({ place, oauth: bearer, scope, fetchFn: options.fetchFn });
}

async function requestGrant(
  identity: Identity,
  idToken: string,
  options: IdentityExchange,
): Promise<string> {
  const { provider } = identity;
  const { place, url, scope, network, request } = options;
  // It accepts only what is made out to the very name that it calls itself.
  const { issuer } = place.metadata ?? place;
  const sdk = await import('../../sdk');
  const fetchFn = fetchOfProvider(provider, network, request.signal);
  const tokenEndpoint = await findTokenEndpoint(provider, fetchFn);
  const { jwtAuthGrant } = await sdk
    .requestJwtAuthorizationGrant({
      tokenEndpoint,
      audience: issuer,
      resource: resourceFor(place, url),
      idToken,
      clientId: provider.clientId,
      ...(provider.clientSecret && { clientSecret: provider.clientSecret }),
      ...(scope && { scope }),
      fetchFn,
    })
    .catch((error: unknown) => {
      throw new UserError(
        (t) =>
          t(
            'The identity provider "{0}" gave no access to the server: {1}',
            plainLabel(identity.name),
            wordsLabel(errorMessage(error, t), 500),
          ),
        { cause: error },
      );
    });
  const claims = jwtClaims(jwtAuthGrant);
  if (claims && !isFor(claims, issuer))
    throw new UserError((t) =>
      t(
        'The identity provider "{0}" gave a grant for {1}, not for {2}. It was not sent.',
        plainLabel(identity.name),
        plainLabel(String(claims['aud'])),
        addressLabel(issuer),
      ),
    );
  return jwtAuthGrant;
}
