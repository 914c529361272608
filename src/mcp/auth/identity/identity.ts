import { UserError } from '../../../base/errors';
import { plainLabel } from '../../../base/text/text';
import type { AskingServer } from '../../protocol/clientRequests';
import { sameIssuer } from '../client/issuers';
import { isExpired, isFor, jwtClaims } from './jwtClaims';
import type { IdentityProvider } from './identityProvider';

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
