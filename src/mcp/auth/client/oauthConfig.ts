/** How to sign in to a server where it does not go by itself; every part may hold variables. */
export interface OAuthConfig {
  readonly clientId?: string;
  readonly clientSecret?: string;
  /** The permissions to ask for, separated by spaces. */
  readonly scopes?: string;
  /** The only authorization server that `clientId` and what proves it are for. */
  readonly issuer?: string;
  /** How tokens are got without a person; absent means that the person signs in in the browser. */
  readonly grantType?: 'client_credentials' | 'jwt_bearer';
  /** What proves `clientId` in place of a secret: a private key (PEM) and its JWS algorithm. */
  readonly privateKey?: string;
  readonly algorithm?: string;
  /** What tokens are given for (`jwt_bearer`, RFC 7523): a signed statement of who runs this. */
  readonly assertion?: string;
}

const names = [
  'clientId',
  'clientSecret',
  'scopes',
  'issuer',
  'grantType',
  'privateKey',
  'algorithm',
  'assertion',
] as const;

/** Reads the `oauth` of a server's configuration; problems are whole sentences. */
export function parseOAuthConfig(value: unknown): OAuthConfig | { readonly problem: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: '"oauth" must be an object.' };
  const given = value as Readonly<Record<string, unknown>>;
  const config: Record<string, string> = {};
  for (const name of names) {
    const part = given[name];
    const text: unknown = name === 'scopes' && Array.isArray(part) ? part.join(' ') : part;
    if (text === undefined) continue;
    if (typeof text !== 'string') return { problem: `"oauth.${name}" must be a text.` };
    config[name] = text;
  }
  const { clientId, clientSecret, privateKey, grantType, assertion } = config;
  switch (grantType) {
    case undefined:
      break;
    case 'client_credentials':
      if (!clientSecret && !privateKey) return needs('grantType', 'clientSecret');
      break;
    case 'jwt_bearer':
      if (!assertion) return needs('grantType', 'assertion');
      break;
    default:
      return { problem: '"oauth.grantType" must be "client_credentials" or "jwt_bearer".' };
  }
  for (const name of ['clientSecret', 'privateKey', 'grantType'])
    if (config[name] !== undefined && !clientId) return needs(name, 'clientId');
  return config;
}

function needs(name: string, other: string): { readonly problem: string } {
  return { problem: `"oauth.${name}" needs "oauth.${other}".` };
}
