/**
 * The SDK's run-time values that the core uses, in a module of their own: the build makes it a
 * separate chunk, and `import('./sdk')` loads it on the first connection instead of at activation.
 */
export {
  Client,
  ProtocolError,
  SdkError,
  SdkErrorCode,
  SdkHttpError,
  SSEClientTransport,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
