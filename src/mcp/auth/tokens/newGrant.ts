import { UserError } from '../../../base/errors';
import { plainLabel } from '../../../base/text/text';
import type { AskingServer } from '../../protocol/clientRequests';
import type { AuthorizationUi } from '../authorizationUi';
import { signInWithBrowser } from '../browserSignIn';
import type { ClientIdentity } from '../client/clientRegistration';
import { createGrant, type Credentials, type Grant } from './credentials';
import { discoverSignIn, type SignInPlace } from '../client/discovery';
import type { OAuthConfig } from '../client/oauthConfig';
import { isCovered, scopeToRequest } from '../client/scopes';
import { createAuthorizationFetch } from '../secureUrl';
import type { Challenge } from '../signInRequired';
import { fetchUnattended, isUnattended } from './unattended';

/** What a grant is asked for with. */
export interface NewGrantOptions {
  readonly server: AskingServer;
  readonly url: URL;
  readonly oauth: OAuthConfig | undefined;
  readonly credentials: Credentials;
  readonly challenge: Partial<Challenge>;
  /** Refuses when the server asks again for what the last sign-in asked for. */
  readonly onlyIfNew: boolean;
  readonly identity: ClientIdentity;
  readonly ui: AuthorizationUi;
  readonly signal: AbortSignal;
}

/** Gets a grant from the authorization server that the server names now. */
export async function obtainGrant(options: NewGrantOptions): Promise<{
  readonly issuer: string;
  readonly grant: Grant;
}> {
  const { url, oauth, credentials, challenge, onlyIfNew, signal } = options;
  const fetchFn = createAuthorizationFetch(url, signal);
  const place = await discoverSignIn(url, challenge, fetchFn);
  const { issuer } = place;
  checkIssuer(place, oauth, (await credentials.current())?.issuer);
  const earlier = await credentials.of(issuer);
  if (onlyIfNew && challenge.insufficientScope && isCovered(challenge.scope, earlier?.scope))
    throw new UserError(
      `It wants the permission "${plainLabel(challenge.scope ?? '')}", which the sign-in already asked for.`,
    );
  const scope = scopeToRequest({
    configured: oauth?.scopes,
    challenged: challenge.scope,
    earlier: earlier?.scope,
    place,
  });
  const common = { place, scope, fetchFn };
  const made = isUnattended(oauth)
    ? { tokens: await fetchUnattended({ ...common, oauth }), client: { client_id: oauth.clientId } }
    : await signInWithBrowser({ ...options, ...common, earlier });
  // The secret of a configured client stays where the person keeps it.
  const client = oauth?.clientId ? { client_id: oauth.clientId } : made.client;
  return { issuer, grant: createGrant({ ...made, client, scope }) };
}

/** A configured client is known to one authorization server, and only that may see its secrets. */
function checkIssuer(
  { issuer }: SignInPlace,
  oauth: OAuthConfig | undefined,
  earlier: string | undefined,
): void {
  // Who runs the server names the authorization server: what proves the client must not go wherever they like.
  if (oauth?.issuer === undefined && hasSecret(oauth))
    throw new UserError(
      `The server signs in at ${plainLabel(issuer)}. If that is right, set "oauth.issuer" to it: what proves the configured client is sent nowhere else.`,
    );
  const own = oauth?.issuer ?? (oauth?.clientId ? earlier : undefined);
  if (own === undefined || withoutSlash(own) === withoutSlash(issuer)) return;
  throw new UserError(
    `The server signs in at ${plainLabel(issuer)}, but its configured client is known to ${plainLabel(own)}. If that is right, sign out or change "oauth.issuer".`,
  );
}

function hasSecret(oauth: OAuthConfig | undefined): boolean {
  return [oauth?.clientSecret, oauth?.privateKey, oauth?.assertion].some(Boolean);
}

function withoutSlash(issuer: string): string {
  return issuer.replace(/\/$/, '');
}
