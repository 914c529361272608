import type { AuthorizationServerMetadata } from '@modelcontextprotocol/client';
import { UserError } from '../../../base/errors';
import { addressLabel } from '../../../base/text/address';
import type { Grant, OAuthClient } from '../tokens/credentials';
import type { SignInPlace } from './discovery';
import type { OAuthConfig } from '../../serverConfig';
import type { AuthorizationFetch } from '../authorizationFetch';

/** How this program introduces itself to authorization servers. */
export interface ClientIdentity {
  readonly name: string;
  /** The URL of a document that describes this program to authorization servers that look it up. */
  readonly metadataUrl?: string | undefined;
}

/** The options of {@link chooseClient}. */
export interface RegistrationOptions {
  readonly place: SignInPlace;
  readonly redirectUrl: string;
  readonly scope: string | undefined;
  readonly identity: ClientIdentity;
  /** The `oauth` part of the server's configuration. */
  readonly oauth: OAuthConfig | undefined;
  /** The latest grant from this authorization server. */
  readonly earlier: Grant | undefined;
  readonly fetchFn: AuthorizationFetch;
}

/** Thrown when an authorization server no longer knows a client that it registered earlier. */
export class ForgottenClientError extends UserError {
  constructor({ issuer }: SignInPlace, cause: unknown) {
    super(
      (t) =>
        t('{0} no longer knows this program. Sign in again to register it.', addressLabel(issuer)),
      { cause },
    );
  }
}

/** True for an error that says that a client is not known: the second is for other things, but widespread for this. */
export function isUnknownClient(code: string): boolean {
  return code === 'invalid_client' || code === 'unauthorized_client';
}

/** Returns the client that is configured; `undefined` if there is none. */
export function configuredClient(oauth: OAuthConfig | undefined): OAuthClient | undefined {
  return oauth?.clientId
    ? {
        client_id: oauth.clientId,
        ...(oauth.clientSecret && { client_secret: oauth.clientSecret }),
      }
    : undefined;
}

/**
 * Returns the client to sign in as, in the order of the specification: the configured one, the one whose
 * metadata document the authorization server looks up itself, the one registered earlier, or a new one.
 */
export async function chooseClient(options: RegistrationOptions): Promise<OAuthClient> {
  const { place, redirectUrl, scope, identity, oauth, earlier, fetchFn } = options;
  const { metadata } = place;
  const configured = configuredClient(oauth);
  if (configured) return configured;
  if (identity.metadataUrl && metadata?.client_id_metadata_document_supported)
    return { client_id: identity.metadataUrl };
  if (earlier && isUsable(earlier.client, redirectUrl)) return earlier.client;
  if (metadata && !metadata.registration_endpoint)
    throw new UserError((t) =>
      t(
        '{0} does not register programs by itself. Register this one there and put its id into the server\'s configuration ("oauth": { "clientId": … }).',
        addressLabel(place.issuer),
      ),
    );
  const sdk = await import('../../sdk');
  const method = authMethod(metadata?.token_endpoint_auth_methods_supported);
  return sdk.registerClient(place.authorizationServer, {
    ...(metadata && { metadata }),
    clientMetadata: {
      client_name: identity.name,
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      application_type: 'native',
      ...(method && { token_endpoint_auth_method: method }),
    },
    ...(scope && { scope }),
    fetchFn,
  });
}

/** Returns the metadata for a client: what its registration says of how it proves itself counts more. */
export function metadataFor(
  { token_endpoint_auth_method: own }: OAuthClient,
  metadata: AuthorizationServerMetadata | undefined,
): AuthorizationServerMetadata | undefined {
  const supported = metadata?.token_endpoint_auth_methods_supported;
  if (!supported || own === undefined || supported.includes(own)) return metadata;
  return { ...metadata, token_endpoint_auth_methods_supported: [...supported, own] };
}

/** True if the client is registered for this redirect URL and its secret has not expired (RFC 7591, section 3.2.1). */
function isUsable(client: OAuthClient, redirectUrl: string): boolean {
  const { client_secret: secret, client_secret_expires_at: expiresAt = 0 } = client;
  const isExpired = secret !== undefined && expiresAt > 0 && expiresAt * 1000 <= Date.now();
  return !isExpired && client.redirect_uris?.includes(redirectUrl) === true;
}

/** Prefers to authenticate without a secret, since a program on a user's machine cannot keep one. */
function authMethod(supported: readonly string[] | undefined): string | undefined {
  return ['none', 'client_secret_basic', 'client_secret_post'].find((method) =>
    supported?.includes(method),
  );
}
