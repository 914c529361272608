import type { OAuthClientInformationFull, OAuthTokens } from '@modelcontextprotocol/client';
import type { DpopKey } from './dpop';
import { joinScopes } from '../client/scopes';
import type { TokenStore } from './tokenStore';

/** The client that an authorization server knows this program as. */
export type OAuthClient = Pick<OAuthClientInformationFull, 'client_id'> &
  Partial<OAuthClientInformationFull>;

/** What one sign-in gave. */
export interface Grant {
  readonly client: OAuthClient;
  /** Absent when they turned out to be void. */
  readonly tokens?: OAuthTokens;
  /** When the access token is to be renewed, in epoch milliseconds, as far as known. */
  readonly renewAt?: number;
  /** The permissions that were asked for, separated by spaces. */
  readonly scope?: string;
  /** What the tokens are bound to. */
  readonly dpopKey?: DpopKey;
}

/** Makes a grant from what an authorization server answered. */
export function createGrant(parts: {
  readonly client: OAuthClient;
  readonly tokens: OAuthTokens;
  readonly scope?: string | undefined;
  readonly dpopKey?: DpopKey | undefined;
}): Grant {
  const { client, tokens, dpopKey } = parts;
  const scope = joinScopes(parts.scope, tokens.scope);
  return {
    client,
    tokens,
    ...(tokens.expires_in !== undefined && { renewAt: Date.now() + lifeMs(tokens.expires_in) }),
    ...(scope && { scope }),
    ...(dpopKey && tokens.token_type.toLowerCase() === 'dpop' && { dpopKey }),
  };
}

/** Most of the time that a token is valid: clocks differ, and requests take a while. */
function lifeMs(expiresIn: number): number {
  return expiresIn * 1000 - Math.min(30_000, expiresIn * 100);
}

interface Stored {
  /** The address that the grants are for. */
  readonly resource: string;
  /** Who issued the grant in use. */
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
  /** Where they are in the store. */
  readonly key: string;
  private readonly resource: string;
  private loading: Promise<Stored | undefined> | undefined;

  constructor(store: TokenStore, serverId: string, resource: string) {
    this.store = store;
    this.key = credentialsKey(serverId);
    this.resource = resource;
  }

  /** The grant in use and its issuer. */
  async current(): Promise<(Grant & { readonly issuer: string }) | undefined> {
    const stored = await this.load();
    const grant = stored?.grants[stored.issuer];
    return stored && grant && { ...grant, issuer: stored.issuer };
  }

  /** The latest grant of one issuer. */
  async of(issuer: string): Promise<Grant | undefined> {
    return (await this.load())?.grants[issuer];
  }

  /** Keeps `grant` and uses it from now on. */
  async save(issuer: string, grant: Grant): Promise<void> {
    const stored = await this.load();
    const grants = { ...stored?.grants, [issuer]: grant };
    await this.write({ resource: this.resource, issuer, grants });
  }

  /** Has the next sign-in register another client than this one of an issuer; what it was given stays as it is. */
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

/** What cannot be read is as good as not there: a sign-in replaces it. */
function parse(text: string): Stored | undefined {
  try {
    const value = JSON.parse(text) as Partial<Stored> | null;
    return value?.grants && typeof value.issuer === 'string' ? (value as Stored) : undefined;
  } catch {
    return undefined;
  }
}

/** Where the grants of a server are in the store. */
export function credentialsKey(serverId: string): string {
  return `signIn:${serverId}`;
}
