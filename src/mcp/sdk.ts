import * as client from '@modelcontextprotocol/client';
import type { AuthorizationFetch } from './auth/authorizationFetch';

/**
 * The SDK's run-time values that the core uses, in a module of their own: the build makes it a
 * separate chunk, and `import('./sdk')` loads it on the first connection instead of at activation.
 */
export {
  Client,
  ClientCredentialsProvider,
  DpopSession,
  generateDpopKeyPair,
  InsufficientScopeError,
  OAuthError,
  RegistrationRejectedError,
  PrivateKeyJwtProvider,
  ProtocolError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  startAuthorization,
  StreamableHTTPClientTransport,
  UnauthorizedError,
  validateAuthorizationResponseIssuer,
  withDpop,
} from '@modelcontextprotocol/client';

/** The options of a function that sends requests of a sign-in: without a `fetch` of its own, which is never omitted. */
type Guarded<Options> = Omit<NonNullable<Options>, 'fetchFn'> & {
  readonly fetchFn: AuthorizationFetch;
};

/** A function whose second argument has the options. */
type GuardedSecond<F extends (first: never, options: never) => unknown> = (
  first: Parameters<F>[0],
  options: Guarded<Parameters<F>[1]>,
) => ReturnType<F>;

export const discoverAuthorizationServerMetadata: GuardedSecond<
  typeof client.discoverAuthorizationServerMetadata
> = client.discoverAuthorizationServerMetadata;
export const exchangeAuthorization: GuardedSecond<typeof client.exchangeAuthorization> =
  client.exchangeAuthorization;
export const refreshAuthorization: GuardedSecond<typeof client.refreshAuthorization> =
  client.refreshAuthorization;
export const registerClient: GuardedSecond<typeof client.registerClient> = client.registerClient;
export const requestJwtAuthorizationGrant: (
  options: Guarded<Parameters<typeof client.requestJwtAuthorizationGrant>[0]>,
) => ReturnType<typeof client.requestJwtAuthorizationGrant> = client.requestJwtAuthorizationGrant;
export const fetchToken: (
  provider: client.OAuthClientProvider,
  authorizationServer: string | URL,
  options: Guarded<Parameters<typeof client.fetchToken>[2]>,
) => ReturnType<typeof client.fetchToken> = client.fetchToken;
export const discoverOAuthProtectedResourceMetadata: (
  serverUrl: string | URL,
  options: { readonly resourceMetadataUrl?: string | URL },
  fetchFn: AuthorizationFetch,
) => ReturnType<typeof client.discoverOAuthProtectedResourceMetadata> =
  client.discoverOAuthProtectedResourceMetadata;

/** Loads the other side of the SDK, which serves agents: it shares most of what it is made of with this one. */
export const importServing = () => import('./serving/serveAgent');
