import type { OAuthTokens } from '@modelcontextprotocol/client';
import { UserError } from '../../base/errors';
import { addressLabel } from '../../base/text/address';
import { wordsLabel } from '../../base/text/text';
import type { AskingServer } from '../protocol/serverRequests';
import { parseObject } from '../protocol/parseObject';
import type { AuthorizationUi, AuthorizationVisit, SignInParty } from './authorizationUi';
import {
  chooseClient,
  ForgottenClientError,
  isUnknownClient,
  metadataFor,
  type RegistrationOptions,
} from './client/clientRegistration';
import { readCallbackPort } from './client/oauthConfig';
import type { OAuthClient } from './tokens/credentials';
import { createDpopKey, openDpopSession, type DpopKey } from './tokens/dpop';
import {
  type SignInPlace,
  audiencesOf,
  resourceToRequest,
  tokenEndpointOf,
  uncovered,
} from './client/discovery';

/** The options of {@link signInWithBrowser}. */
export interface BrowserSignInOptions extends Omit<RegistrationOptions, 'redirectUrl'> {
  readonly server: AskingServer;
  readonly ui: AuthorizationUi;
  readonly signal: AbortSignal;
  /** The address of the server, if the tokens are for it. */
  readonly url?: URL;
}

/**
 * Lets the user sign in at the authorization server: authorization code with PKCE (S256), a fresh
 * `state`, and the issuer of the answer checked before anything in it is used (RFC 9207).
 */
export async function signInWithBrowser(options: BrowserSignInOptions): Promise<{
  readonly client: OAuthClient;
  readonly tokens: OAuthTokens;
  readonly dpopKey: DpopKey | undefined;
  readonly tokenOrigin?: string;
}> {
  const { place, scope, earlier, fetchFn, signal } = options;
  const { authorizationServer } = place;
  const resource = resourceToRequest(place, scope);
  const sdk = await import('../sdk');
  const { visit, client } = await findWay(options);
  try {
    const { redirectUrl } = visit;
    const metadata = metadataFor(client, place.metadata);
    const state = randomState();
    const common = { ...(metadata && { metadata }), ...(resource && { resource }) };
    const { authorizationUrl, codeVerifier } = await sdk.startAuthorization(authorizationServer, {
      ...common,
      clientInformation: client,
      redirectUrl,
      state,
      ...(scope && { scope }),
    });
    const reach = await fetchFn.checkPage(authorizationUrl);
    signal.throwIfAborted();
    const { wider, isUnlimited } = place;
    const parties = partiesOf(place, client);
    const server = options.url;
    const more = earlier?.scope === undefined ? undefined : uncovered(scope, earlier.scope);
    const audiences = server ? audiencesOf(scope, server, place.metadata) : [];
    const about = { parties, server, reach, more, wider, isUnlimited, audiences };
    const page = { url: authorizationUrl, state, ...about };
    const answer = await visit.visit(page, signal);
    const { code, iss } = await readAnswer(answer, state, place);
    const dpopKey = await createDpopKey(metadata);
    const exchange = sdk.exchangeAuthorization(authorizationServer, {
      ...common,
      clientInformation: client,
      authorizationCode: code,
      ...(iss !== undefined && { iss }),
      ...(dpopKey && { dpop: await openDpopSession(dpopKey) }),
      codeVerifier,
      redirectUri: redirectUrl,
      fetchFn,
    });
    const tokens = await exchange.catch((error: unknown) => {
      const isUnknown = error instanceof sdk.OAuthError && isUnknownClient(error.code);
      // That client was registered automatically, and can be registered again.
      throw isUnknown && client === earlier?.client
        ? new ForgottenClientError(place, error)
        : error;
    });
    visit.succeed();
    return { client, tokens, dpopKey, tokenOrigin: tokenEndpointOf(place).origin };
  } finally {
    visit.dispose();
  }
}

function partiesOf(place: SignInPlace, client: OAuthClient): readonly SignInParty[] {
  const { metadata, authorizationServer } = place;
  const registration = new URL(metadata?.registration_endpoint ?? '/register', authorizationServer);
  // A client that is configured or describes itself was registered by nobody.
  const isRegistered = client.redirect_uris !== undefined;
  return [
    { part: 'code', url: tokenEndpointOf(place) },
    ...(isRegistered ? [{ part: 'registration', url: registration } as const] : []),
    { part: 'page', url: new URL(authorizationServer) },
  ];
}

/** Finds a way to the browser and back that the authorization server accepts, and the client for it. */
async function findWay(
  options: BrowserSignInOptions,
): Promise<{ readonly visit: AuthorizationVisit; readonly client: OAuthClient }> {
  const { ui, server, signal, place, oauth } = options;
  const sdk = await import('../sdk');
  const port = readCallbackPort(oauth);
  const ways = port === undefined ? ui.ways : [ui.toPort(port)];
  for (const [index, prepare] of ways.entries()) {
    const visit = await prepare(server, signal);
    try {
      return { visit, client: await chooseClient({ ...options, redirectUrl: visit.redirectUrl }) };
    } catch (error) {
      visit.dispose();
      // Some servers do not register programs whose redirect URL is not a web address.
      if (!(error instanceof sdk.RegistrationRejectedError)) throw error;
      const isRefusal = error.status < 500;
      if (isRefusal && index < ways.length - 1) continue;
      throw isRefusal && !place.metadata ? noSignIn(place, error) : notRegistered(place, error);
    }
  }
  throw new Error('There is no way to a browser.');
}

/** Words that a server refuses requests but offers no sign-in: it often expects a key that its operator issues. */
function noSignIn({ authorizationServer }: SignInPlace, cause: unknown): UserError {
  return new UserError(
    (t) =>
      t(
        '{0} does not say how to sign in. If it expects a token, add an "Authorization" header to its configuration.',
        addressLabel(authorizationServer),
      ),
    { cause },
  );
}

/** Words a refused registration ourselves, as the body of the response may be anything. */
function notRegistered(
  { issuer }: SignInPlace,
  error: Error & { readonly status: number; readonly body: string },
): UserError {
  const { error: code, error_description: described } = parseObject(error.body) ?? {};
  const reason = [described, code].find((one) => typeof one === 'string' && one !== '');
  const said = typeof reason === 'string' ? `: ${wordsLabel(reason, 200)}` : '';
  return new UserError(
    (t) =>
      t(
        '{0} refused to register this program (HTTP status {1}). Register it there by hand and put its id into the server\'s configuration ("oauth": { "clientId": … }).',
        addressLabel(issuer),
        `${error.status}${said}`,
      ),
    { cause: error },
  );
}

async function readAnswer(
  answer: URLSearchParams,
  state: string,
  { issuer, metadata }: SignInPlace,
): Promise<{ readonly code: string; readonly iss: string | undefined }> {
  if (answer.get('state') !== state)
    throw new UserError((t) =>
      t('The answer that came back from the browser belongs to another sign-in.'),
    );
  const iss = answer.get('iss') ?? undefined;
  const sdk = await import('../sdk');
  // Checked before the error is read, too: another server must not put words into the real one's mouth.
  sdk.validateAuthorizationResponseIssuer({
    iss,
    expectedIssuer: metadata?.issuer,
    issParameterSupported: metadata?.authorization_response_iss_parameter_supported === true,
  });
  const error = answer.get('error');
  const from = addressLabel(issuer);
  const words = error && (answer.get('error_description') || error);
  // This code says no more than the sentence does.
  if (words === 'access_denied') throw new UserError((t) => t('{0} refused the sign-in.', from));
  if (words) throw new UserError((t) => t('{0} refused the sign-in: {1}', from, wordsLabel(words)));
  // No code has a space: the authorization server did not encode its "+", or the editor has decoded it.
  const code = answer.get('code')?.replaceAll(' ', '+');
  if (!code) throw new UserError((t) => t('{0} answered the sign-in without a code.', from));
  return { code, iss };
}

function randomState(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(32));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
