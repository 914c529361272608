import { isRecord } from '../../../base/json';

/** An organization's identity provider, as described in the user's settings. */
export interface IdentityProvider {
  readonly issuer: string;
  /** The client that identity tokens are issued to. */
  readonly clientId: string;
  readonly clientSecret?: string;
  /** The permissions to ask for at a sign-in, separated by spaces. */
  readonly scopes?: string;
  /** The URL where tokens are exchanged; if absent, it is taken from the provider's metadata. */
  readonly tokenEndpoint?: string;
  /** The editor's authentication provider with the identity token; if absent, the user signs in with the browser. */
  readonly authenticationProvider?: string;
}

const names = [
  'issuer',
  'clientId',
  'clientSecret',
  'scopes',
  'tokenEndpoint',
  'authenticationProvider',
] as const;

/** Reads an entry of the setting; `undefined` if it is incomplete or a field is not a string. */
export function readIdentityProvider(value: unknown): IdentityProvider | undefined {
  if (!isRecord(value)) return undefined;
  const parts = names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]]));
  const provider = Object.fromEntries(parts) as Record<string, unknown>;
  const { issuer, clientId } = provider;
  const isComplete = typeof issuer === 'string' && URL.canParse(issuer) && clientId !== '';
  const isString = Object.values(provider).every((part) => typeof part === 'string');
  return isComplete && isString && clientId !== undefined
    ? (provider as unknown as IdentityProvider)
    : undefined;
}
