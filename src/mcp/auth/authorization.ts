import type { AuthProvider, DpopSession } from '@modelcontextprotocol/client';
import { CancelledError, errorMessage, isCancellation } from '../../base/errors';
import type { Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import type { Logger } from '../../base/log';
import { addressLabel } from '../../base/text/address';
import { wordsLabel } from '../../base/text/text';
import { SharedWork } from '../../base/async';
import type { AskingServer } from '../protocol/serverRequests';
import { pageNetwork } from '../http/pageFetch';
import type { HttpServerConfig, OAuthConfig } from '../serverConfig';
import type { SignInExtent } from '../serverState';
import type { SignInNetwork } from '../http/reach';
import type { AuthorizationUi } from './authorizationUi';
import type { ClientIdentity } from './client/clientRegistration';
import { beyond } from './client/discovery';
import { isManaged } from './identity/exchangeIdentity';
import type { FindIdentity, IdentitySource } from './identity/identity';
import { Credentials, type Grant, type TokenStore, credentialsKey } from './tokens/credentials';
import { openDpopSession } from './tokens/dpop';
import { obtainGrant } from './tokens/newGrant';
import { type RunExclusively, renewInTurn } from './tokens/renewInTurn';
import { renewGrant } from './tokens/renewal';
import {
  type Challenge,
  SignInRequiredError,
  explainSignInFailure,
  isMissingToken,
  isSignInRequired,
  isUnexplained,
  readChallenge,
} from './signInRequired';
import { isUnattended } from './tokens/unattended';

/** Returns what tokens are valid for if that is more than the server, or something else. */
function extentOf(
  { resource, acceptedBy }: Pick<Grant, 'resource' | 'acceptedBy'>,
  server: URL,
): SignInExtent | undefined {
  if (acceptedBy !== undefined) return { address: acceptedBy, isWider: false };
  const address = beyond(resource, server);
  return address === undefined ? undefined : { address, isWider: true };
}

/** How long a user may take to sign in, in milliseconds. */
export const signInMs = 10 * 60_000;

/** The dependencies of {@link Authorization}. */
export interface AuthorizationDeps {
  readonly store: TokenStore;
  /** Keeps other windows from renewing the same tokens at the same time; omitted if there are no other windows. */
  readonly exclusively?: RunExclusively;
  readonly ui: AuthorizationUi;
  /** What sign-ins are sent through; omitted where nobody knows the addresses of hosts, as in a page. */
  readonly network?: SignInNetwork;
  readonly identity: ClientIdentity;
  /** Looks up the identity providers in the user's settings. */
  readonly findIdentity?: FindIdentity;
  readonly log: Logger;
}

interface Target {
  readonly url: URL;
  readonly oauth: OAuthConfig | undefined;
  readonly credentials: Credentials;
}

/** The sign-in to one server: stores, renews, requests and forgets its tokens. */
export class Authorization implements AuthProvider {
  private readonly required = new Emitter<void>();
  /** Fires when requests are refused for lack of a sign-in and none is in progress. */
  readonly onDidRequire = this.required.event;

  private readonly server: AskingServer;
  private readonly deps: AuthorizationDeps;
  private readonly network: SignInNetwork;
  private at: Target | undefined;
  private challenge: Challenge | undefined;
  private lastIssuer: string | undefined;
  private lastGrant: Pick<Grant, 'resource' | 'acceptedBy'> | undefined;
  private lastProblem: Error | undefined;
  private hasTokens = false;
  private wasUnexplained = false;
  /** The `Authorization` header of the first request that was refused (401) since the last accepted one. */
  private refused: string | undefined;
  private dpopSession: DpopSession | undefined;
  private readonly renewing = new SharedWork<boolean>();
  private readonly signingIn = new SharedWork<void>();

  constructor(server: AskingServer, deps: AuthorizationDeps) {
    this.server = server;
    this.deps = deps;
    this.network = deps.network ?? pageNetwork;
  }

  /** What the server requires: a sign-in, or one that grants more permissions; `undefined` if neither. */
  get need(): 'signIn' | 'permission' | undefined {
    if (!this.challenge) return undefined;
    return this.challenge.insufficientScope ? 'permission' : 'signIn';
  }

  /** True if nothing speaks for a sign-in but that requests are refused: no word of the server, no grant, no setting. */
  get isUnexplained(): boolean {
    const { challenge, wasUnexplained, hasTokens, lastIssuer, at } = this;
    const isKnown = hasTokens || lastIssuer !== undefined || at?.oauth !== undefined;
    return challenge !== undefined && wasUnexplained && !isKnown;
  }

  /** True if the last request was sent with an access token. */
  get isSignedIn(): boolean {
    return this.hasTokens;
  }

  /** The issuer of the grant that was used last; `undefined` if there was none. */
  get issuer(): string | undefined {
    return this.lastIssuer;
  }

  /** What the tokens that were used last are valid for, if that is more than the server. */
  get validFor(): SignInExtent | undefined {
    const [grant, url] = [this.lastGrant, this.at?.url];
    return url && grant && extentOf(grant, url);
  }

  /** The error of the last failed sign-in; `undefined` once a later one, or one in another window, has succeeded. */
  get problem(): Error | undefined {
    return this.lastProblem;
  }

  /** Forgets the {@link problem}: the server was reached, so a failed sign-in no longer matters. */
  forgetProblem(): void {
    this.lastProblem = undefined;
  }

  /** Forgets what the server refused so far for lack of a sign-in or a permission: it has just opened a session. */
  forgetRefusal(): void {
    this.challenge = undefined;
    this.refused = undefined;
  }

  /** Begins a new connection to this address and forgets what was refused before, which may be granted by now. */
  attach(config: HttpServerConfig): void {
    const url = new URL(config.url);
    const isSame = this.at?.url.href === url.href;
    if (!isSame) this.forgetProblem();
    const credentials =
      this.at && isSame
        ? this.at.credentials
        : new Credentials(this.deps.store, this.server.id, url.href);
    this.at = { url, oauth: config.oauth, credentials };
    this.forgetRefusal();
  }

  /** Returns the access token to send, renewed if it is about to expire; `undefined` if there is none. */
  async token(): Promise<string | undefined> {
    const token = await this.validToken();
    this.hasTokens = token !== undefined;
    return token;
  }

  /** Handles a refused request (401): renews the stored tokens, or throws a {@link SignInRequiredError}. */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const challenge = readChallenge(response, this.target().url);
    const renewed = await this.renew(challenge).catch((error: unknown) => {
      throw explainSignInFailure(error);
    });
    if (renewed) return;
    this.require(challenge, response);
    throw new SignInRequiredError();
  }

  /** Returns the session of the key that the tokens are bound to; `undefined` if they are not bound. */
  async dpop(): Promise<DpopSession | undefined> {
    const key = (await this.target().credentials.current())?.dpopKey;
    if (key?.thumbprint !== this.dpopSession?.thumbprint)
      this.dpopSession = key && (await openDpopSession(key));
    return this.dpopSession;
  }

  /**
   * Looks at a request and its response: a 403 may ask for more permissions (step-up authorization), and a 401 may
   * refuse a token although an earlier one was refused, too. Renewing again would not help then, so this throws an
   * `UnauthorizedError` if the request was a message. Resolves to the response to go on with, in which a 403 is a
   * 401 where it means that.
   */
  async observe(response: Response, { method, headers }: RequestInit = {}): Promise<Response> {
    if (response.ok) this.refused = undefined;
    if (response.status !== 401 && response.status !== 403) return response;
    const challenge = readChallenge(response, this.target().url);
    const sent = new Headers(headers).get('authorization') ?? '';
    if (response.status === 403 && !isMissingToken(response, sent)) {
      if (challenge.insufficientScope) this.challenge = challenge;
      return response;
    }
    const handedOn =
      response.status === 401
        ? response
        : new Response(response.body, { status: 401, headers: response.headers });
    this.refused ??= sent;
    if (sent === this.refused) return handedOn;
    this.require(challenge, response);
    // The code that opens an HTTP+SSE stream only reads the status.
    if (method !== 'POST') return handedOn;
    const sdk = await import('../sdk');
    void response.body?.cancel().catch(() => {});
    throw new sdk.UnauthorizedError();
  }

  /**
   * Signs in, with the user's browser if necessary. Rejects with a `CancelledError` if the user declines or `signal`
   * aborts, and with a `UserError` for any other reason. Concurrent calls share one sign-in, which goes on until the
   * last of them has left.
   * @param onlyIfNew rejects if the server asks again for permissions that the last sign-in requested.
   */
  async signIn(signal: AbortSignal, onlyIfNew = false): Promise<void> {
    try {
      await this.signingIn.join((shared) => this.askUser(shared, onlyIfNew), signal);
    } catch (error) {
      throw signal.aborted ? new CancelledError() : error;
    } finally {
      this.announce();
    }
  }

  /** Leads the user to the sign-in that is waiting for them in the browser, whose page they may have lost. */
  async showAgain(): Promise<void> {
    this.deps.ui.showAgain(this.server);
    (await this.identitySource())?.showAgain();
  }

  /** Forgets everything that was obtained by signing in, and ends a sign-in or renewal that is in progress. */
  async signOut(): Promise<void> {
    this.cancel();
    await (this.at?.credentials.remove() ?? this.deps.store.delete(credentialsKey(this.server.id)));
    await (await this.identitySource())?.forget();
    this.forgetTokens();
  }

  /** Calls `listener` when another window has signed out, once nothing of that sign-in is used here any more. */
  onDidSignOutElsewhere(listener: () => void): Disposable | undefined {
    const look = async () => {
      const { credentials } = this.at ?? {};
      // What this window itself has removed is not there any more.
      if (credentials && (await credentials.current()) === undefined) return;
      if ((await credentials?.reload()) !== undefined) return;
      this.cancel();
      this.forgetTokens();
      listener();
    };
    return this.deps.store.onDidDelete?.(credentialsKey(this.server.id), () => {
      look().catch((error: unknown) => this.deps.log.warn(errorMessage(error)));
    });
  }

  private cancel(): void {
    this.signingIn.cancel();
    this.renewing.cancel();
  }

  private forgetTokens(): void {
    this.challenge = undefined;
    this.forgetProblem();
    this.hasTokens = false;
  }

  private async identitySource(): Promise<IdentitySource | undefined> {
    const provider = this.at?.oauth?.provider;
    return provider === undefined ? undefined : (await this.deps.findIdentity?.(provider))?.source;
  }

  private async validToken(): Promise<string | undefined> {
    const { credentials, oauth } = this.target();
    const grant = await credentials.current();
    this.lastIssuer = grant?.issuer;
    this.lastGrant = grant;
    const renewable =
      grant?.tokens?.refresh_token !== undefined || isUnattended(oauth) || isManaged(oauth);
    if (renewable && (grant?.renewAt ?? Infinity) <= Date.now()) {
      await this.renew({}).catch((error: unknown) =>
        this.deps.log.warn(wordsLabel(errorMessage(error), 500)),
      );
      return (await credentials.current())?.tokens?.access_token;
    }
    return grant?.tokens?.access_token;
  }

  /** Notes that only a sign-in helps from now on. */
  private require(challenge: Challenge, response: Response): void {
    this.wasUnexplained = isUnexplained(response);
    this.challenge = { ...challenge, insufficientScope: false };
    // Deferred, as the sender of the request may sign in right away and continue in the same session.
    setTimeout(() => this.announce());
  }

  private announce(): void {
    if (this.need === 'signIn' && !this.signingIn.isRunning) this.required.fire();
  }

  private async askUser(signal: AbortSignal, onlyIfNew: boolean): Promise<void> {
    try {
      await this.signInNow(this.challenge ?? {}, { signal, onlyIfNew, interactive: true });
    } catch (error) {
      const problem = explainSignInFailure(error);
      if (!isCancellation(problem)) {
        this.lastProblem = problem;
        this.deps.log.error(wordsLabel(errorMessage(problem), 1000));
      }
      throw problem;
    }
  }

  private async signInNow(
    challenge: Partial<Challenge>,
    how: {
      readonly signal: AbortSignal;
      readonly onlyIfNew: boolean;
      readonly interactive: boolean;
    },
  ): Promise<void> {
    const { server, deps } = this;
    // Even if the address changes meanwhile, the grant is for this one.
    const target = this.target();
    const late = AbortSignal.timeout(signInMs);
    const { issuer, grant } = await obtainGrant({
      ...deps,
      network: this.network,
      ...target,
      server,
      challenge,
      ...how,
      signal: AbortSignal.any([how.signal, late]),
    }).catch((error: unknown) => {
      // Nobody has cancelled it.
      throw late.aborted && !how.signal.aborted ? late.reason : error;
    });
    await target.credentials.save(issuer, grant, how.signal);
    const extent = extentOf(grant, target.url);
    // Where no browser is needed, no question says so.
    const told = extent
      ? ` The tokens are valid for ${extent.isWider ? 'all of ' : ''}${addressLabel(extent.address)}.`
      : '';
    deps.log.info(`Signed in at ${addressLabel(issuer)}.${told}`);
    this.challenge = undefined;
    this.forgetProblem();
  }

  /** Renews the tokens; resolves to true if there are new ones. Concurrent calls share one renewal. */
  private async renew(challenge: Partial<Challenge>): Promise<boolean> {
    try {
      return await this.renewing.join((signal) => this.renewNow(challenge, signal));
    } catch (error) {
      // The user signed out meanwhile.
      if (isCancellation(error)) return false;
      throw error;
    }
  }

  private renewNow(challenge: Partial<Challenge>, signal: AbortSignal): Promise<boolean> {
    const { url, oauth, credentials } = this.target();
    const { network } = this;
    return renewInTurn(credentials, this.deps.exclusively, async (grant) => {
      if (isUnattended(oauth) || isManaged(oauth))
        return (await this.signInAlone(challenge, signal)) ? 'renewed' : 'void';
      if (!grant?.tokens) return 'void';
      const kept = await renewGrant({ url, oauth, grant, challenge, network });
      if (kept === grant) return 'later';
      await credentials.save(grant.issuer, kept, signal);
      return kept.tokens === undefined ? 'void' : 'renewed';
    });
  }

  /** Signs in without the user; resolves to false if the user would be needed. */
  private async signInAlone(challenge: Partial<Challenge>, signal: AbortSignal): Promise<boolean> {
    try {
      await this.signInNow(challenge, { signal, onlyIfNew: false, interactive: false });
      return true;
    } catch (error) {
      if (isSignInRequired(error)) return false;
      throw error;
    }
  }

  private target(): Target {
    if (!this.at) throw new Error('The address of the server is not known yet.');
    return this.at;
  }
}
