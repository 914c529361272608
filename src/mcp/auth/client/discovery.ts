import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { UserError } from '../../../base/errors';
import { plainLabel } from '../../../base/text/text';
import type { Fetch } from '../secureUrl';
import type { Challenge } from '../signInRequired';
import { sameIssuer } from './issuers';

/** Where and for what to sign in, as the server and its authorization server describe it. */
export interface SignInPlace {
  /** The identifier that every answer of the authorization server is checked against. */
  readonly issuer: string;
  readonly authorizationServer: string;
  /** Absent for servers of 2025-03-26 without metadata, which have their endpoints at the root. */
  readonly metadata?: AuthorizationServerMetadata;
  /** The resource that the tokens are requested for (RFC 8707); absent if the server does not name one. */
  readonly resource?: string;
  /** All permissions that the server knows, separated by spaces. */
  readonly scopes?: string;
}

/**
 * Asks the server for its authorization server, and the latter for its metadata (RFC 9728, RFC 8414,
 * OpenID Connect Discovery). Throws if the metadata describes another issuer or another resource.
 */
export async function discoverSignIn(
  serverUrl: URL,
  challenge: Partial<Challenge>,
  fetchFn: Fetch,
): Promise<SignInPlace> {
  const sdk = await import('../../sdk');
  const { resourceMetadataUrl } = challenge;
  const found = await sdk.discoverOAuthServerInfo(serverUrl, {
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
    // Compared below, with what counts as the same.
    skipIssuerMetadataValidation: true,
    fetchFn,
  });
  const { authorizationServerUrl, authorizationServerMetadata, resourceMetadata } = found;
  assertIssuer(authorizationServerMetadata, authorizationServerUrl);
  const resource = resourceMetadata?.resource;
  const requestedResource = sdk.resourceUrlFromServerUrl(serverUrl);
  if (resource && !sdk.checkResourceAllowed({ requestedResource, configuredResource: resource }))
    throw new UserError((t) =>
      t('The server describes the sign-in of another server ({0}).', plainLabel(resource)),
    );
  const scopes = resourceMetadata?.scopes_supported?.join(' ');
  return {
    issuer: authorizationServerMetadata?.issuer ?? authorizationServerUrl,
    authorizationServer: authorizationServerUrl,
    ...(authorizationServerMetadata && { metadata: authorizationServerMetadata }),
    ...(resource && { resource }),
    ...(scopes && { scopes }),
  };
}

/** Throws a `UserError` if an authorization server describes another than the one it was asked about (RFC 8414, 3.3). */
export function assertIssuer(
  metadata: AuthorizationServerMetadata | undefined,
  expected: string,
): void {
  if (!metadata || sameIssuer(metadata.issuer, expected)) return;
  throw new UserError((t) =>
    t(
      'Issuer mismatch: {0} describes itself as {1}. Nobody can sign in there until its operator corrects that.',
      plainLabel(expected, 200),
      plainLabel(metadata.issuer, 200),
    ),
  );
}
