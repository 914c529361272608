import type { Disposable } from '../../../base/disposable';
import type { OAuthClientInformationFull, OAuthTokens } from '@modelcontextprotocol/client';
import { looksSecret } from '../../../base/secrets';
import type { DpopKey } from './dpop';
import { joinScopes, sameIssuer, type TokenResource } from '../client/discovery';

/** Stores secret strings by key across restarts; in the editor, that is its secret storage. */
export interface TokenStore {
  get(key: string): PromiseLike<string | undefined>;
  set(key: string, value: string): PromiseLike<void>;
  delete(key: string): PromiseLike<void>;
  /** Calls `listener` whenever a value was removed, also by another window; absent where there is none. */
  onDidDelete?(key: string, listener: () => void): Disposable;
}

/** The client that an authorization server knows this program as. */
export type OAuthClient = Pick<OAuthClientInformationFull, 'client_id'> &
  Partial<OAuthClientInformationFull>;

/** The result of one sign-in. */
export interface Grant {
  readonly client: OAuthClient;
  /** Absent once they have turned out to be void. */
  readonly tokens?: OAuthTokens;
  /** When to renew the access token, in epoch milliseconds, if known. */
  readonly renewAt?: number;
  /** The permissions that were requested or granted, separated by spaces. */
  readonly scope?: string;
  /** The permissions that were requested; absent if none were, or the grant is of an earlier version. */
  readonly requested?: string;
  /** The resource that they are for; absent if none was named, or the grant is of an earlier version. */
  readonly resource?: TokenResource;
  /** Whom a permission names as what accepts the tokens, if that is not the server. */
  readonly acceptedBy?: string;
  /** True if the authorization server renews only if the request names no permissions. */
  readonly renewsBare?: boolean;
  /** True if the authorization server renews only if the request names no resource. */
  readonly renewsWithoutResource?: boolean;
  /** The key that the tokens are bound to, if they are. */
  readonly dpopKey?: DpopKey;
  /** Where the code was exchanged, as the user saw: the refresh token goes nowhere else. Absent without a user, or of an earlier version. */
  readonly tokenOrigin?: string;
}

/** What a grant is made from. */
type GrantParts = { readonly [K in Exclude<keyof Grant, 'renewAt'>]?: Grant[K] | undefined } & {
  readonly client: OAuthClient;
  readonly tokens: OAuthTokens;
};

/** Creates a grant from the response of an authorization server. */
export function createGrant(parts: GrantParts): Grant {
  const { client, tokens, requested, resource, renewsBare, renewsWithoutResource, dpopKey } = parts;
  const { acceptedBy, tokenOrigin } = parts;
  const scope = joinScopes(parts.scope, tokens.scope);
  return {
    client,
    tokens,
    ...(tokens.expires_in !== undefined && { renewAt: Date.now() + lifeMs(tokens.expires_in) }),
    ...(scope && { scope }),
    ...(requested && { requested }),
    ...(resource && { resource }),
    ...(acceptedBy !== undefined && { acceptedBy }),
    ...(renewsBare && { renewsBare }),
    ...(renewsWithoutResource && { renewsWithoutResource }),
    ...(dpopKey && tokens.token_type.toLowerCase() === 'dpop' && { dpopKey }),
    ...(tokenOrigin !== undefined && { tokenOrigin }),
  };
}

/** Ahead of its end, a token is renewed once in so many milliseconds: some servers give one no lifetime at all (0). */
export const minRenewalMs = 10_000;

/** Returns most of the lifetime of a token: clocks differ, and requests take a while. */
function lifeMs(expiresIn: number): number {
  return Math.max(minRenewalMs, expiresIn * 1000 - Math.min(30_000, expiresIn * 100));
}

interface Stored {
  /** The address that the grants are for. */
  readonly resource: string;
  /** The issuer of the grant in use. */
  readonly issuer: string;
  readonly grants: Readonly<Record<string, Grant>>;
}

/**
 * The grants of one server at one address, each bound to the authorization server that issued it.
 * They are stored under the server's own id: nothing is shared, even between two servers that sign
 * in at the same place.
 */
export class Credentials {
  private readonly store: TokenStore;
  /** The key of the grants in the store. */
  readonly key: string;
  private readonly resource: string;
  private loading: Promise<Stored | undefined> | undefined;

  constructor(store: TokenStore, serverId: string, resource: string) {
    this.store = store;
    this.key = credentialsKey(serverId);
    this.resource = resource;
  }

  /** Returns the grant in use and its issuer; `undefined` if there is none. */
  async current(): Promise<(Grant & { readonly issuer: string }) | undefined> {
    const stored = await this.load();
    const grant = stored?.grants[stored.issuer];
    return stored && grant && { ...grant, issuer: stored.issuer };
  }

  /** Returns the latest grant from an issuer; `undefined` if there is none. */
  async of(issuer: string): Promise<Grant | undefined> {
    const { grants = {} } = (await this.load()) ?? {};
    const key = Object.keys(grants).find((one) => sameIssuer(one, issuer));
    return key === undefined ? undefined : grants[key];
  }

  /** Keeps `grant` and uses it from now on; rejects with the signal's reason if it is no longer wanted. */
  async save(issuer: string, grant: Grant, signal: AbortSignal): Promise<void> {
    const stored = await this.load();
    signal.throwIfAborted();
    const others = Object.entries(stored?.grants ?? {}).filter(([one]) => !sameIssuer(one, issuer));
    const grants = { ...Object.fromEntries(others), [issuer]: grant };
    await this.write({ resource: this.resource, issuer, grants });
  }

  /** Makes the next sign-in register a new client in place of this one; its tokens are kept. */
  async forgetClient(issuer: string, { client_id: id }: OAuthClient): Promise<void> {
    await this.reload();
    const stored = await this.load();
    const grant = stored?.grants[issuer];
    if (!stored || !grant?.client.redirect_uris || grant.client.client_id !== id) return;
    const { redirect_uris: _unused, ...client } = grant.client;
    await this.write({ ...stored, grants: { ...stored.grants, [issuer]: { ...grant, client } } });
  }

  /** Reads again what another window may have written meanwhile. */
  reload(): ReturnType<Credentials['current']> {
    this.loading = undefined;
    return this.current();
  }

  /** Removes the grants, here first: those that are used no longer can be missed by nobody. */
  async remove(): Promise<void> {
    this.loading = Promise.resolve(undefined);
    await this.store.delete(this.key);
    this.loading = undefined;
  }

  private async write(next: Stored): Promise<void> {
    this.loading = Promise.resolve(next);
    await this.store.set(this.key, JSON.stringify(next));
  }

  private load(): Promise<Stored | undefined> {
    this.loading ??= this.read().catch((error: unknown) => {
      this.loading = undefined;
      throw error;
    });
    return this.loading;
  }

  private async read(): Promise<Stored | undefined> {
    const text = await this.store.get(this.key);
    const stored = text === undefined ? undefined : parse(text);
    return stored?.resource === this.resource ? stored : undefined;
  }
}

/** Treats unreadable text as missing: a sign-in replaces it. */
function parse(text: string): Stored | undefined {
  try {
    const value = JSON.parse(text) as Partial<Stored> | null;
    return value?.grants && typeof value.issuer === 'string' ? (value as Stored) : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the key of a server's grants in the store. */
export function credentialsKey(serverId: string): string {
  return `signIn:${serverId}`;
}

/** The names of what is about tokens, and no secret: hidden, such a word would be missing in other texts. */
const about = /^(?:issued_)?token_(?:type$|endpoint)|^tokenOrigin$/;

/** Returns what no log may show of a text in a {@link TokenStore}. */
export function storedSecrets(json: string): readonly string[] {
  const found: string[] = [];
  try {
    JSON.parse(json, (name, value: unknown) => {
      if (typeof value === 'string' && looksSecret(name) && !about.test(name)) found.push(value);
      return value;
    });
  } catch {
    // What cannot be read is not used either.
  }
  return found;
}
