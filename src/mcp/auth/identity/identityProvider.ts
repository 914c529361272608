import { isRecord } from '../../../base/json';

/** Who knows the user of an organization, as the user's own settings describe it. */
export interface IdentityProvider {
  readonly issuer: string;
  /** The client that identity tokens are given to. */
  readonly clientId: string;
  readonly clientSecret?: string;
  /** What to ask for at a sign-in, separated by spaces. */
  readonly scopes?: string;
  /** Where tokens are exchanged, in case its metadata does not say. */
  readonly tokenEndpoint?: string;
  /** Whose sessions of the editor hold the identity token; without it the user signs in in the browser. */
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

/** Reads an entry of the setting; a part that is no text makes it unusable. */
export function readIdentityProvider(value: unknown): IdentityProvider | undefined {
  if (!isRecord(value)) return undefined;
  const parts = names.flatMap((name) => (value[name] === undefined ? [] : [[name, value[name]]]));
  const provider = Object.fromEntries(parts) as Record<string, unknown>;
  const { issuer, clientId } = provider;
  const isComplete = typeof issuer === 'string' && URL.canParse(issuer) && clientId !== '';
  const isText = Object.values(provider).every((part) => typeof part === 'string');
  return isComplete && isText && clientId !== undefined
    ? (provider as unknown as IdentityProvider)
    : undefined;
}
