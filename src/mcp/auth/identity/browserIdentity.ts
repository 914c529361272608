import { UserError } from '../../../base/errors';
import { addressLabel } from '../../../base/text/address';
import { SharedWork } from '../../../base/async';
import type { AskingServer } from '../../protocol/serverRequests';
import type { AuthorizationUi } from '../authorizationUi';
import { signInWithBrowser } from '../browserSignIn';
import type { SignInNetwork } from '../../http/reach';
import {
  Credentials,
  type Grant,
  type TokenStore,
  createGrant,
  credentialsKey,
} from '../tokens/credentials';
import { renewTokens } from '../tokens/renewal';
import { discoverIdentityProvider, fetchOfProvider } from './identityPlace';
import {
  type IdentityProvider,
  type IdentityRequest,
  type IdentitySource,
  isExpired,
  jwtClaims,
} from './identity';

/** The identity token from a sign-in in the browser, kept for all servers that need it. */
export class BrowserIdentity implements IdentitySource {
  private readonly provider: IdentityProvider;
  private readonly store: TokenStore;
  private readonly ui: AuthorizationUi;
  private readonly network: SignInNetwork;
  private readonly credentials: Credentials;
  private readonly renewing = new SharedWork<string | undefined>();
  private readonly asking = new SharedWork<string>();
  /** The server for which the user is in the browser. */
  private asked: AskingServer | undefined;

  constructor(
    provider: IdentityProvider,
    deps: { store: TokenStore; ui: AuthorizationUi; network: SignInNetwork },
  ) {
    this.provider = provider;
    this.store = deps.store;
    this.ui = deps.ui;
    this.network = deps.network;
    this.credentials = new Credentials(deps.store, keyOf(provider), provider.issuer);
  }

  async token({ server, interactive, signal }: IdentityRequest): Promise<string | undefined> {
    const kept = await this.renewing.join((shared) => this.keptOrRenewed(shared), signal);
    // Only those who may ask share the sign-in of the user.
    if (kept !== undefined || !interactive) return kept;
    return this.asking.join((shared) => this.keptOrAsked(server, shared), signal);
  }

  showAgain(): void {
    if (this.asked) this.ui.showAgain(this.asked);
  }

  async forget(): Promise<void> {
    this.renewing.cancel();
    this.asking.cancel();
    await this.store.delete(credentialsKey(keyOf(this.provider)));
    await this.credentials.reload();
  }

  private async keptOrRenewed(signal: AbortSignal): Promise<string | undefined> {
    const grant = await this.credentials.reload();
    return usable(grant) ?? this.renew(grant, signal);
  }

  private async keptOrAsked(server: AskingServer, signal: AbortSignal): Promise<string> {
    // Another sign-in may have ended during the renewal.
    const kept = usable(await this.credentials.reload());
    if (kept !== undefined) return kept;
    this.asked = server;
    try {
      return await this.ask(server, signal);
    } finally {
      this.asked = undefined;
    }
  }

  private async renew(grant: Grant | undefined, signal: AbortSignal): Promise<string | undefined> {
    const { provider, network } = this;
    if (!grant?.tokens?.refresh_token) return undefined;
    const fetchFn = fetchOfProvider(provider, network, signal);
    const place = await discoverIdentityProvider(provider, fetchFn);
    const client = clientOf(provider);
    const renewed = await renewTokens({ place, client, grant, fetchFn });
    if (typeof renewed === 'string') return undefined;
    const kept = createGrant({ ...grant, ...renewed });
    await this.credentials.save(provider.issuer, kept, signal);
    return usable(kept);
  }

  private async ask(server: AskingServer, signal: AbortSignal): Promise<string> {
    const { provider, ui, network } = this;
    const fetchFn = fetchOfProvider(provider, network, signal);
    const place = await discoverIdentityProvider(provider, fetchFn);
    const scope = provider.scopes ?? 'openid offline_access';
    const made = await signInWithBrowser({
      server,
      ui,
      signal,
      place,
      scope,
      identity: { name: 'MCP Workbench' },
      oauth: provider,
      earlier: undefined,
      fetchFn,
    });
    const client = { client_id: provider.clientId };
    const grant = createGrant({ ...made, client, requested: scope });
    await this.credentials.save(provider.issuer, grant, signal);
    const token = grant.tokens?.id_token;
    if (token === undefined)
      throw new UserError((t) =>
        t(
          '{0} gave no identity token. Its "scopes" must contain "openid".',
          addressLabel(provider.issuer),
        ),
      );
    return token;
  }
}

/** Returns the identity token of a grant; `undefined` if there is none or it has expired. */
function usable(grant: Grant | undefined): string | undefined {
  const token = grant?.tokens?.id_token;
  const claims = token === undefined ? undefined : jwtClaims(token);
  return claims && !isExpired(claims) ? token : undefined;
}

function clientOf({ clientId, clientSecret }: IdentityProvider) {
  return { client_id: clientId, ...(clientSecret && { client_secret: clientSecret }) };
}

/** Each client has its own sign-in, even at the same provider. */
function keyOf({ clientId }: IdentityProvider): string {
  return `identity ${clientId}`;
}
