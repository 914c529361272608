/** The keys of a server's entry that this extension reads. */
export const readKeys: readonly string[] = [
  'type',
  'command',
  'args',
  'env',
  'envFile',
  'cwd',
  'inheritEnvironment',
  'url',
  'headers',
  'oauth',
  'timeouts',
  'maxMessageMegabytes',
  'tools',
  'disabledTools',
  'excludeTools',
  'disabled',
  'enabled',
  'sandboxEnabled',
  'sandbox',
  'dev',
  'registry',
];

/** Further keys that VS Code, Cursor, Claude Code, Copilot and other applications use. */
export const foreignKeys: readonly string[] = [
  // VS Code
  'gallery',
  'version',
  // Cursor
  'auth',
  // Claude Code
  'alwaysLoad',
  'headersHelper',
  'timeout',
  // Copilot
  'configWarnings',
  'deferTools',
  'disableSecretMasking',
  'disableToolCache',
  'displayName',
  'events',
  'filterMapping',
  'headersRefreshTtlMs',
  'isDefaultServer',
  'notifications',
  'oauthClientId',
  'oauthGrantType',
  'oauthPublicClient',
  'oauthScopes',
  'oidc',
  'safeForTelemetry',
  'slowConnectionThresholdMs',
  'source',
  'sourcePath',
  'sourcePlugin',
  'sourcePluginSpec',
  'sourcePluginVersion',
  'workingDirectory',
  // Other applications
  'alwaysAllow',
  'autoApprove',
  'description',
  'includeTools',
  'name',
  'trust',
];

/** The keys that this extension reads, by other names that are often used for them. */
export const otherNames: Readonly<Record<string, string>> = {
  arguments: 'args',
  cmd: 'command',
  environment: 'env',
  enterpriseManaged: 'oauth.provider',
  idp: 'oauth.provider',
};

/** The keys of `oauth`, by other names that are often used for them. */
export const otherSignInNames: Readonly<Record<string, string>> = {
  client_id: 'clientId',
  client_secret: 'clientSecret',
  enterpriseManaged: 'provider',
  grant_type: 'grantType',
  identityProvider: 'provider',
  idp: 'provider',
  port: 'callbackPort',
  redirectPort: 'callbackPort',
  redirectUri: 'callbackPort',
  redirectUrl: 'callbackPort',
  scope: 'scopes',
};
