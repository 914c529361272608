import { UserError } from '../../../base/errors';
import { addressLabel } from '../../../base/text/address';
import { plainLabel } from '../../../base/text/text';
import type { AskingServer } from '../../protocol/serverRequests';
import { sameIssuer } from '../client/discovery';
import { type JsonRecord, isRecord } from '../../../base/json';
import { decodeBase64 } from '../../protocol/content';

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

/** How far the clocks of two machines may differ. */
const leewayMs = 30_000;

/** Reads the claims of a signed token, whose recipient verifies the signature; `undefined` if it is not a JWT. */
export function jwtClaims(token: string): JsonRecord | undefined {
  try {
    const bytes = decodeBase64(token.split('.')[1] ?? '');
    const claims: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isRecord(claims) ? claims : undefined;
  } catch {
    return undefined;
  }
}

/** True for a token that is meant for `audience`. */
export function isFor({ aud }: JsonRecord, audience: string): boolean {
  const all: readonly unknown[] = Array.isArray(aud) ? aud : [aud];
  return all.some((one) => typeof one === 'string' && sameIssuer(one, audience));
}

/** True if a token has expired or is about to. */
export function isExpired({ exp }: JsonRecord): boolean {
  return typeof exp === 'number' && exp * 1000 - leewayMs <= Date.now();
}

/** The server that needs an identity token, and whether the user may be asked for it. */
export interface IdentityRequest {
  readonly server: AskingServer;
  readonly interactive: boolean;
  readonly signal: AbortSignal;
}

/** The source of a user's identity token. */
export interface IdentitySource {
  /** Returns the token; `undefined` if the user would have to be asked but must not be. */
  token(request: IdentityRequest): Promise<string | undefined>;
  /** Leads the user to the sign-in that is waiting for them in the browser, if there is one. */
  showAgain(): void;
  /** Forgets the stored token, so that the next sign-in is a new one. */
  forget(): Promise<void>;
}

/** An identity provider in the user's settings, and the source of the user's identity token there. */
export interface Identity {
  readonly name: string;
  readonly provider: IdentityProvider;
  readonly source: IdentitySource;
}

/** Finds the identity provider with this name in the user's settings; `undefined` if there is none. */
export type FindIdentity = (name: string) => Promise<Identity | undefined>;

/** Throws a `UserError` if an identity token is unreadable, expired, from another provider or for another client. */
export function checkIdentityToken(
  token: string,
  { name, provider }: Pick<Identity, 'name' | 'provider'>,
): void {
  const claims = jwtClaims(token);
  const at = plainLabel(name);
  if (!claims)
    throw new UserError((t) =>
      t('The identity provider "{0}" gave an identity token that cannot be read.', at),
    );
  if (typeof claims['iss'] !== 'string' || !sameIssuer(claims['iss'], provider.issuer))
    throw new UserError((t) =>
      t(
        'The identity token is from {0}, but the identity provider "{1}" is {2}. Correct its "issuer".',
        addressLabel(String(claims['iss'])),
        at,
        addressLabel(provider.issuer),
      ),
    );
  if (!isFor(claims, provider.clientId))
    throw new UserError((t) =>
      t(
        'The identity token of the identity provider "{0}" is for {1}, not for "{2}". Correct its "clientId".',
        at,
        plainLabel(String(claims['aud'])),
        plainLabel(provider.clientId),
      ),
    );
  if (isExpired(claims))
    throw new UserError((t) =>
      t('The identity token of the identity provider "{0}" has expired. Sign in again.', at),
    );
}
