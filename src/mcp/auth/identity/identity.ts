import { UserError } from '../../../base/errors';
import { plainLabel } from '../../../base/text/text';
import type { AskingServer } from '../../protocol/clientRequests';
import { isExpired, isFor, jwtClaims, sameIssuer } from './jwtClaims';
import type { IdentityProvider } from './identityProvider';

/** Who needs an identity token, and whether the user may be asked for it. */
export interface IdentityRequest {
  readonly server: AskingServer;
  readonly interactive: boolean;
  readonly signal: AbortSignal;
}

/** Where the identity token of a user comes from. */
export interface IdentitySource {
  /** The token; none where only the user could get it and may not be asked. */
  token(request: IdentityRequest): Promise<string | undefined>;
  /** Forgets what was kept, so that the next sign-in is a new one. */
  forget(): Promise<void>;
}

/** A user as an identity provider of the settings knows them. */
export interface Identity {
  readonly name: string;
  readonly provider: IdentityProvider;
  readonly source: IdentitySource;
}

/** Finds the identity provider of this name in the user's settings. */
export type FindIdentity = (name: string) => Promise<Identity | undefined>;

/** Throws where an identity token is not for this client, or not by this provider. */
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
        plainLabel(String(claims['iss'])),
        at,
        plainLabel(provider.issuer),
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
