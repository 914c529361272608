import { neverAborted } from '../../base/abort';
import type { AuthProvider, DpopSession } from '@modelcontextprotocol/client';
import { errorMessage, isCancellation, isTimeout, UserError } from '../../base/errors';
import { Emitter } from '../../base/event';
import type { Logger } from '../../base/log';
import { plainLabel } from '../../base/text/text';
import type { Sentence, Translate } from '../../base/translate';
import type { AskingServer } from '../protocol/clientRequests';
import { responseFailure } from '../protocol/errorFacts';
import type { HttpServerConfig } from '../serverConfig';
import type { AuthorizationUi } from './authorizationUi';
import type { ClientIdentity } from './client/clientRegistration';
import { isManaged } from './identity/exchangeIdentity';
import type { FindIdentity } from './identity/identity';
import { Credentials, credentialsKey } from './tokens/credentials';
import { openDpopSession } from './tokens/dpop';
import { obtainGrant } from './tokens/newGrant';
import type { OAuthConfig } from './client/oauthConfig';
import { renewInTurn, type Exclusively } from './tokens/renewInTurn';
import { renewGrant } from './tokens/renewal';
import { unreachedOrigin } from './secureUrl';
import { isSignInRequired, SignInRequiredError, type Challenge } from './signInRequired';
import type { TokenStore } from './tokens/tokenStore';
import { isUnattended } from './tokens/unattended';

/** How long a user may take to sign in. */
const signInMs = 10 * 60_000;

/** What signing in needs from its surroundings. */
export interface AuthorizationDeps {
  readonly store: TokenStore;
  /** Keeps other windows from renewing the same meanwhile; not given where there are none. */
  readonly exclusively?: Exclusively;
  readonly ui: AuthorizationUi;
  readonly identity: ClientIdentity;
  /** Knows the identity providers of the user's settings. */
  readonly findIdentity?: FindIdentity;
  readonly log: Logger;
}

interface Target {
  readonly url: URL;
  readonly oauth: OAuthConfig | undefined;
  readonly credentials: Credentials;
}

/** The sign-in of one server: what it holds, renews, asks for and forgets. */
export class Authorization implements AuthProvider {
  private readonly required = new Emitter<void>();
  /** Fires when requests are refused and nobody who waits for one signs in at once. */
  readonly onDidRequire = this.required.event;

  private readonly server: AskingServer;
  private readonly deps: AuthorizationDeps;
  private at: Target | undefined;
  private challenge: Challenge | undefined;
  private lastIssuer: string | undefined;
  private lastProblem: Error | undefined;
  private hasTokens = false;
  /** What the request was sent with that was refused first since one was accepted. */
  private refused: string | undefined;
  private dpopSession: DpopSession | undefined;
  private renewing: Promise<boolean> | undefined;
  private signingIn: Promise<void> | undefined;

  constructor(server: AskingServer, deps: AuthorizationDeps) {
    this.server = server;
    this.deps = deps;
  }

  /** What the server waits for: a sign-in, or one that gives more permissions. */
  get need(): 'signIn' | 'permission' | undefined {
    if (!this.challenge) return undefined;
    return this.challenge.insufficientScope ? 'permission' : 'signIn';
  }

  /** True when the last request was sent in the name of somebody. */
  get isSignedIn(): boolean {
    return this.hasTokens;
  }

  /** Where the user signed in last, as far as it was needed. */
  get issuer(): string | undefined {
    return this.lastIssuer;
  }

  /** What the last sign-in of the user failed with, unless a later one or another window's helped. */
  get problem(): Error | undefined {
    return this.lastProblem;
  }

  /** The server was reached, so that no sign-in that failed is in the way. */
  forgetProblem(): void {
    this.lastProblem = undefined;
  }

  /** A new connection begins, to this address; what an earlier one waited for may be there by now. */
  attach(config: HttpServerConfig): void {
    const url = new URL(config.url);
    const isSame = this.at?.url.href === url.href;
    if (!isSame) this.forgetProblem();
    const credentials =
      this.at && isSame
        ? this.at.credentials
        : new Credentials(this.deps.store, this.server.id, url.href);
    this.at = { url, oauth: config.oauth, credentials };
    this.challenge = undefined;
    this.refused = undefined;
  }

  /** The access token to send, renewed when it is about to expire. */
  async token(): Promise<string | undefined> {
    const token = await this.validToken();
    this.hasTokens = token !== undefined;
    return token;
  }

  /** A request was refused (401): renews what is stored, or throws a {@link SignInRequiredError}. */
  async onUnauthorized({ response }: { readonly response: Response }): Promise<void> {
    const challenge = await readChallenge(response);
    const renewed = await this.renew(challenge).catch((error: unknown) => {
      throw explain(error);
    });
    if (renewed) return;
    this.require(challenge);
    throw new SignInRequiredError();
  }

  /** The key that the tokens are bound to, if they are. */
  async dpop(): Promise<DpopSession | undefined> {
    const key = (await this.target().credentials.current())?.dpopKey;
    if (key?.thumbprint !== this.dpopSession?.thumbprint)
      this.dpopSession = key && (await openDpopSession(key));
    return this.dpopSession;
  }

  /**
   * Takes note of what was sent and answered: of a response that wants more permissions (403, step-up authorization),
   * and of one that refuses a token although the one before was refused as well (401). Another would not help, so that
   * a message that was refused like that throws.
   */
  async observe(response: Response, { method, headers }: RequestInit = {}): Promise<void> {
    if (response.ok) this.refused = undefined;
    if (response.status !== 401 && response.status !== 403) return;
    const challenge = await readChallenge(response);
    if (response.status === 403) {
      if (challenge.insufficientScope) this.challenge = challenge;
      return;
    }
    const sent = new Headers(headers).get('authorization') ?? '';
    this.refused ??= sent;
    if (sent === this.refused) return;
    this.require(challenge);
    // What opens a stream of HTTP+SSE only reads the status.
    if (method !== 'POST') return;
    const sdk = await import('../sdk');
    void response.body?.cancel().catch(() => {});
    throw new sdk.UnauthorizedError();
  }

  /**
   * Signs in with the user's browser. Rejects with a `CancelledError` when the user does not
   * want to, and with a `UserError` for any other reason. Concurrent calls share one sign-in.
   * @param onlyIfNew refuses when the server asks again for what the last sign-in asked for.
   */
  signIn(signal: AbortSignal, onlyIfNew = false): Promise<void> {
    this.signingIn ??= this.signInNow(this.challenge ?? {}, {
      signal,
      onlyIfNew,
      interactive: true,
    })
      .catch((error: unknown) => {
        const problem = explain(error);
        if (!isCancellation(problem)) {
          this.lastProblem = problem;
          this.deps.log.error(plainLabel(errorMessage(problem), 1000));
        }
        throw problem;
      })
      .finally(() => {
        this.signingIn = undefined;
        this.announce();
      });
    return this.signingIn;
  }

  /** Forgets everything that signing in gave. */
  async signOut(): Promise<void> {
    await this.deps.store.delete(credentialsKey(this.server.id));
    const provider = this.at?.oauth?.provider;
    if (provider !== undefined) await (await this.deps.findIdentity?.(provider))?.source.forget();
    await this.at?.credentials.reload();
    this.challenge = undefined;
    this.forgetProblem();
    this.hasTokens = false;
  }

  private async validToken(): Promise<string | undefined> {
    const { credentials, oauth } = this.target();
    const grant = await credentials.current();
    this.lastIssuer = grant?.issuer;
    const renewable =
      grant?.tokens?.refresh_token !== undefined || isUnattended(oauth) || isManaged(oauth);
    if (renewable && (grant?.renewAt ?? Infinity) <= Date.now()) {
      await this.renew({}).catch((error: unknown) =>
        this.deps.log.warn(plainLabel(errorMessage(error), 500)),
      );
      return (await credentials.current())?.tokens?.access_token;
    }
    return grant?.tokens?.access_token;
  }

  /** Only a sign-in helps from now on. */
  private require(challenge: Challenge): void {
    this.challenge = { ...challenge, insufficientScope: false };
    // Later, as who waits for the request may sign in at once and go on in the same session.
    setTimeout(() => this.announce());
  }

  private announce(): void {
    if (this.need === 'signIn' && !this.signingIn) this.required.fire();
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
    // Where the address changes meanwhile, what is given is still for this one.
    const target = this.target();
    const { issuer, grant } = await obtainGrant({
      ...deps,
      ...target,
      server,
      challenge,
      ...how,
      signal: AbortSignal.any([how.signal, AbortSignal.timeout(signInMs)]),
    });
    deps.log.info(`Signed in at ${issuer}.`);
    await target.credentials.save(issuer, grant);
    this.challenge = undefined;
    this.forgetProblem();
  }

  /** True when there are new tokens; concurrent calls share one renewal. */
  private renew(challenge: Partial<Challenge>): Promise<boolean> {
    this.renewing ??= this.renewNow(challenge).finally(() => {
      this.renewing = undefined;
    });
    return this.renewing;
  }

  private renewNow(challenge: Partial<Challenge>): Promise<boolean> {
    const { url, oauth, credentials } = this.target();
    return renewInTurn(credentials, this.deps.exclusively, async (grant) => {
      if (isUnattended(oauth) || isManaged(oauth))
        return (await this.signInAlone(challenge)) ? 'renewed' : 'void';
      if (!grant?.tokens) return 'void';
      const kept = await renewGrant({ url, oauth, grant, challenge });
      if (kept === grant) return 'later';
      await credentials.save(grant.issuer, kept);
      return kept.tokens === undefined ? 'void' : 'renewed';
    });
  }

  /** Signs in without the user; false where only they could. */
  private async signInAlone(challenge: Partial<Challenge>): Promise<boolean> {
    const signal = neverAborted();
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

/** What the authorization was refused for, from the header `WWW-Authenticate` (RFC 6750, 3). */
async function readChallenge(response: Response): Promise<Challenge> {
  const sdk = await import('../sdk');
  const { scope, resourceMetadataUrl, error } = sdk.extractWWWAuthenticateParams(response);
  return {
    ...(scope && { scope }),
    ...(resourceMetadataUrl && { resourceMetadataUrl }),
    insufficientScope: error === 'insufficient_scope',
  };
}

/** Says in one sentence why a sign-in did not succeed; a withdrawal stays what it is. */
function explain(error: unknown): Error {
  if (error instanceof UserError || isCancellation(error)) return error as Error;
  if (isTimeout(error))
    return new UserError((t) => t('The sign-in took too long.'), { cause: error });
  const why: Sentence = (t) =>
    responseFailure(error, t) ?? refusal(error, t) ?? plainLabel(errorMessage(error, t), 500);
  const where = unreachedOrigin(error);
  return new UserError(
    (t) =>
      where === undefined
        ? t('The sign-in failed: {0}', why(t))
        : t('The sign-in failed at {0}: {1}', plainLabel(where), why(t)),
    { cause: error },
  );
}

/** A refusal in a form that OAuth does not know, of which the SDK quotes all and why it could not be read. */
function refusal(error: unknown, t: Translate): string | undefined {
  const [, status] = /^HTTP (\d{3}): Invalid OAuth error response/.exec(errorMessage(error)) ?? [];
  return status && t('The authorization server answered with HTTP status {0}.', status);
}
