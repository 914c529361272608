import type { JsonRecord } from '../../base/json';

/**
 * What becomes of a key when a server is imported: it is copied for servers of one kind or of all (`processText` only
 * if it is a text), `converted` from the words of the application, or `dropped`, as an import may not decide it.
 */
type OnImport = 'processText' | 'process' | 'address' | 'all' | 'converted' | 'dropped';

/** The keys of a server's entry that this extension reads; those that are copied are in the order in which they are written. */
const ownKeys: Readonly<Record<string, OnImport>> = {
  type: 'converted',
  command: 'converted',
  args: 'converted',
  env: 'converted',
  cwd: 'processText',
  envFile: 'processText',
  inheritEnvironment: 'processText',
  url: 'converted',
  headers: 'converted',
  oauth: 'address',
  sandboxEnabled: 'process',
  sandbox: 'process',
  timeouts: 'all',
  maxMessageMegabytes: 'all',
  tools: 'converted',
  disabledTools: 'converted',
  excludeTools: 'converted',
  disabled: 'converted',
  enabled: 'converted',
  dev: 'dropped',
  registry: 'dropped',
};

/** The names of the keys of a server's entry that this extension reads. */
export const readKeys: readonly string[] = Object.keys(ownKeys);

/** Returns the keys that an imported server of this kind has as they are written in the entry that it is made from. */
export function copiedKeys(entry: JsonRecord, kind: 'process' | 'address'): JsonRecord {
  const isCopied = ([key, onImport]: readonly [string, OnImport]) =>
    onImport === 'processText'
      ? kind === 'process' && typeof entry[key] === 'string'
      : (onImport === kind || onImport === 'all') && entry[key] !== undefined;
  const copied = Object.entries(ownKeys).filter(isCopied);
  return Object.fromEntries(copied.map(([key]) => [key, entry[key]]));
}

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
