import { isCancellation, isTimeout, UserError } from '../../../base/errors';
import { addressLabel } from '../../../base/text/address';
import { plainLabel } from '../../../base/text/text';
import type { AskingServer } from '../../protocol/serverRequests';
import type { AuthorizationUi } from '../authorizationUi';
import { signInWithBrowser, type BrowserSignInOptions } from '../browserSignIn';
import { ForgottenClientError, type ClientIdentity } from '../client/clientRegistration';
import { createGrant, type Credentials, type Grant } from './credentials';
import {
  type SignInPlace,
  audiencesOf,
  discoverSignIn,
  sameIssuer,
  scopeToRequest,
  uncovered,
} from '../client/discovery';
import type { OAuthConfig } from '../../serverConfig';
import { createAuthorizationFetch } from '../authorizationFetch';
import type { SignInNetwork } from '../../http/reach';
import type { Challenge } from '../signInRequired';
import { exchangeIdentity, isManaged } from '../identity/exchangeIdentity';
import type { FindIdentity } from '../identity/identity';
import { fetchUnattended, isUnattended } from './unattended';

/** The options of {@link obtainGrant}. */
export interface NewGrantOptions {
  readonly server: AskingServer;
  readonly url: URL;
  readonly oauth: OAuthConfig | undefined;
  readonly credentials: Credentials;
  readonly challenge: Partial<Challenge>;
  /** Rejects if the server asks again for permissions that the last sign-in requested. */
  readonly onlyIfNew: boolean;
  /** True if the user is waiting and may be asked. */
  readonly interactive: boolean;
  readonly findIdentity?: FindIdentity | undefined;
  readonly network: SignInNetwork;
  readonly identity: ClientIdentity;
  readonly ui: AuthorizationUi;
  readonly signal: AbortSignal;
}

/** Obtains a grant from the authorization server that the server currently names. */
export async function obtainGrant(options: NewGrantOptions): Promise<{
  readonly issuer: string;
  readonly grant: Grant;
}> {
  const { url, oauth, credentials, challenge, onlyIfNew, network, signal } = options;
  const fetchFn = createAuthorizationFetch(url, network, { issuer: oauth?.issuer, signal });
  const place = await discoverSignIn(url, challenge, fetchFn, { issuer: oauth?.issuer });
  const { issuer } = place;
  checkIssuer(place, oauth, (await credentials.current())?.issuer);
  const earlier = await credentials.of(issuer);
  const isNew = uncovered(challenge.scope, earlier?.scope) !== undefined;
  if (onlyIfNew && challenge.insufficientScope && !isNew)
    throw new UserError((t) =>
      t(
        'It wants the permission "{0}", which the sign-in already asked for.',
        plainLabel(challenge.scope ?? ''),
      ),
    );
  const scope = scopeToRequest({
    configured: oauth?.scopes,
    challenged: challenge.scope,
    earlier: earlier?.scope,
    place,
  });
  if (isManaged(oauth) || isUnattended(oauth)) checkAudiences(scope, options, place);
  const common = { place, scope, fetchFn };
  const made = await obtainTokens({ ...options, ...common, earlier }).catch(
    async (error: unknown) => {
      if (earlier && mayBeForgotten(error, challenge))
        await credentials.forgetClient(issuer, earlier.client);
      throw error;
    },
  );
  // The secret of a configured client stays where the user keeps it.
  const client = oauth?.clientId ? { client_id: oauth.clientId } : made.client;
  // A client that was registered anew is renewed like the one before.
  const isSame = !oauth?.clientId || earlier?.client.client_id === oauth.clientId;
  const ways = isSame && earlier;
  return {
    issuer,
    grant: createGrant({
      ...made,
      client,
      scope,
      requested: scope,
      resource: place.resource,
      acceptedBy: audiencesOf(scope, url, place.metadata)[0],
      ...(ways && {
        renewsBare: ways.renewsBare,
        renewsWithoutResource: ways.renewsWithoutResource,
      }),
    }),
  };
}

async function obtainTokens(
  options: NewGrantOptions & Omit<BrowserSignInOptions, keyof NewGrantOptions>,
): ReturnType<typeof signInWithBrowser> {
  const { oauth } = options;
  if (!isManaged(oauth) && !isUnattended(oauth)) return signInWithBrowser(options);
  const tokens = isManaged(oauth)
    ? await exchangeIdentity({ ...options, oauth, request: options })
    : await fetchUnattended({ ...options, oauth });
  // Nobody was shown a page: the issuer that is configured says where.
  return { tokens, client: { client_id: oauth.clientId }, dpopKey: undefined };
}

/** True if a sign-in may have failed because the authorization server no longer knows the client it registered. */
function mayBeForgotten(error: unknown, { insufficientScope }: Partial<Challenge>): boolean {
  if (error instanceof ForgottenClientError) return true;
  // Such a server shows a dead-end page until the user gives up; one that only misses a permission knows the client.
  return !insufficientScope && (isCancellation(error) || isTimeout(error));
}

/** Throws if a configured client, whose secrets only its own authorization server may see, would sign in at another. */
function checkIssuer(
  { issuer }: SignInPlace,
  oauth: OAuthConfig | undefined,
  earlier: string | undefined,
): void {
  // The server names the authorization server, and must not be able to have the client's credentials sent anywhere.
  if (oauth?.issuer === undefined && hasSecret(oauth))
    throw new UserError((t) =>
      t(
        'The server signs in at {0}. If that is right, set "oauth.issuer" to it: what proves the configured client is sent nowhere else.',
        addressLabel(issuer),
      ),
    );
  const own = oauth?.issuer ?? (oauth?.clientId ? earlier : undefined);
  if (own === undefined || sameIssuer(own, issuer)) return;
  throw new UserError((t) =>
    t(
      'The server signs in at {0}, but its configured client is known to {1}. If that is right, sign out or change "oauth.issuer".',
      addressLabel(issuer),
      addressLabel(own),
    ),
  );
}

/** Throws if the server has permissions of somebody else's service asked for where no question can say so. */
function checkAudiences(
  scope: string | undefined,
  { url, oauth }: Pick<NewGrantOptions, 'url' | 'oauth'>,
  { metadata }: SignInPlace,
): void {
  const configured = audiencesOf(oauth?.scopes, url, metadata);
  const other = audiencesOf(scope, url, metadata).find((one) => !configured.includes(one));
  if (other === undefined) return;
  throw new UserError((t) =>
    t(
      'The server wants a permission of {0}, which would accept its token. If that is right, name the permission in "oauth.scopes".',
      addressLabel(other),
    ),
  );
}

function hasSecret(oauth: OAuthConfig | undefined): boolean {
  return [oauth?.clientSecret, oauth?.privateKey, oauth?.assertion, oauth?.provider].some(Boolean);
}
