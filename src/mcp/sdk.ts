/**
 * The SDK's run-time values that the core uses, in a module of their own: the build makes it a
 * separate chunk, and `import('./sdk')` loads it on the first connection instead of at activation.
 */
export {
  checkResourceAllowed,
  Client,
  ClientCredentialsProvider,
  discoverAuthorizationServerMetadata,
  discoverOAuthServerInfo,
  DpopSession,
  exchangeAuthorization,
  extractWWWAuthenticateParams,
  fetchToken,
  generateDpopKeyPair,
  InsufficientScopeError,
  OAuthError,
  RegistrationRejectedError,
  PrivateKeyJwtProvider,
  ProtocolError,
  refreshAuthorization,
  registerClient,
  requestJwtAuthorizationGrant,
  resourceUrlFromServerUrl,
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
