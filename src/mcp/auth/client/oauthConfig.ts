import { UserError } from '../../../base/errors';
import type { Translate } from '../../../base/translate';
import type { OAuthConfig } from '../../serverConfig';

/** The keys of `oauth` that are read. */
export const oauthKeys = [
  'clientId',
  'clientSecret',
  'scopes',
  'issuer',
  'grantType',
  'privateKey',
  'algorithm',
  'assertion',
  'provider',
  'callbackPort',
] as const;

/** Reads the `oauth` of a server's configuration; problems are whole sentences. */
export function parseOAuthConfig(
  value: unknown,
  t: Translate,
): OAuthConfig | { readonly problem: string } {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: t('"oauth" must be an object.') };
  const given = value as Readonly<Record<string, unknown>>;
  const config: Record<string, string> = {};
  for (const name of oauthKeys) {
    const part = given[name];
    const text = textOf(name, part);
    if (text === undefined) continue;
    if (typeof text !== 'string') return { problem: t('"{0}" must be a text.', `oauth.${name}`) };
    config[name] = text;
  }
  const { clientId, clientSecret, privateKey, grantType, assertion, callbackPort } = config;
  // A variable is only known later.
  const hasPort = callbackPort === undefined || callbackPort.includes('${');
  if (!hasPort && portOf(callbackPort) === undefined) return { problem: noPort(t) };
  switch (grantType) {
    case undefined:
      break;
    case 'client_credentials':
      if (!clientSecret && !privateKey) return needs('grantType', 'clientSecret', t);
      break;
    case 'jwt_bearer':
      if (!assertion) return needs('grantType', 'assertion', t);
      break;
    default:
      return { problem: t('"oauth.grantType" must be "client_credentials" or "jwt_bearer".') };
  }
  if (config['provider'] !== undefined && grantType !== undefined)
    return { problem: t('"oauth.provider" and "oauth.grantType" exclude one another.') };
  for (const name of ['clientSecret', 'privateKey', 'grantType', 'provider'])
    if (config[name] !== undefined && !clientId) return needs(name, 'clientId', t);
  return config;
}

/** Returns the configured port for the way back from the browser; throws a `UserError` if it is none. */
export function readCallbackPort({ callbackPort: text }: OAuthConfig = {}): number | undefined {
  if (text === undefined) return undefined;
  const port = portOf(text);
  if (port === undefined) throw new UserError((t) => noPort(t));
  return port;
}

function portOf(text: string): number | undefined {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}

function noPort(t: Translate): string {
  return t('"oauth.callbackPort" must be the number of a port, from 1 to 65535.');
}

/** Returns a value as the text that is kept of it; other values as they are. */
function textOf(name: string, value: unknown): unknown {
  if (name === 'scopes' && Array.isArray(value)) return value.join(' ');
  return name === 'callbackPort' && typeof value === 'number' ? String(value) : value;
}

function needs(name: string, other: string, t: Translate): { readonly problem: string } {
  return { problem: t('"{0}" needs "{1}".', `oauth.${name}`, `oauth.${other}`) };
}
