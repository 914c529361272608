import {
  LocalizedError,
  UserError,
  errorMessage,
  isCancellation,
  isTimeout,
} from '../../base/errors';
import { addressLabel } from '../../base/text/address';
import { wordsLabel } from '../../base/text/text';
import type { LocalizableMessage, Translate } from '../../base/translate';
import { unreachedOrigin } from '../http/secureUrl';
import { responseFailure } from '../protocol/errorFacts';

/** What a server said when it refused a request for lack of a sign-in or a permission. */
export interface Challenge {
  /** The permissions that the request needs, separated by spaces. */
  readonly scope?: string;
  /** The URL where the server describes how to sign in. */
  readonly resourceMetadataUrl?: URL;
  /** True if the sign-in is valid but does not cover the request. */
  readonly insufficientScope: boolean;
}

/**
 * A name of a scheme or a parameter, with the value of a parameter: quoted, as it should be, or not, and then of several
 * words; or one character between them, whatever that is.
 */
const challengePart =
  /([\w.~+/-]+)(?:[ \t]*=[ \t]*(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s,;"']*(?:[ \t](?![^\s,;"'=]*[ \t]?=)[^\s,;"'=]+)*)))?|[^]/g;

/**
 * Reads from the `WWW-Authenticate` header why a request was refused (RFC 6750, section 3; RFC 9728, section 5.1):
 * whatever other schemes the server or its gateway offers beside, and in whatever case.
 * @param server what a pointer without an origin is relative to
 */
export function readChallenge({ headers }: Response, server: URL): Challenge {
  const { scope, error, resource_metadata: pointer } = parametersOf(headers) ?? {};
  const isPath = pointer?.startsWith('/') && !pointer.startsWith('//');
  const url = pointer && isPath ? server.origin + pointer : pointer;
  return {
    ...(scope && { scope }),
    ...(url && URL.canParse(url) && { resourceMetadataUrl: new URL(url) }),
    insufficientScope: error === 'insufficient_scope',
  };
}

/** True if a server that refuses a request says nothing of a token, as one does that only wants a header. */
export function isUnexplained({ headers }: Response): boolean {
  return parametersOf(headers) === undefined;
}

/** True for a 403 that means a 401: it asks for a token although there was none, or says that the one sent is not valid. */
export function isMissingToken({ headers }: Response, sent: string): boolean {
  const challenge = parametersOf(headers);
  return challenge !== undefined && (sent === '' || challenge['error'] === 'invalid_token');
}

/** Returns what the challenges for a token say, by names in lower case; `undefined` if there is none. */
function parametersOf(headers: Headers): Readonly<Record<string, string>> | undefined {
  const found = new Map<string, string>();
  let [isToken, wantsToken, mayBegin] = [false, false, true];
  const header = headers.get('www-authenticate') ?? '';
  for (const [part, name, quoted, ...others] of header.matchAll(challengePart)) {
    // Elsewhere, a word alone is a part of what was not quoted, or of what another scheme says.
    if (name === undefined) mayBegin ||= part === ',';
    else {
      const value = quoted?.replaceAll(/\\(.)/g, '$1') ?? others.find((one) => one !== undefined);
      if (value === undefined) isToken = mayBegin ? /^(?:bearer|dpop)$/i.test(name) : isToken;
      else if (isToken && !found.has(name.toLowerCase())) found.set(name.toLowerCase(), value);
      mayBegin = false;
      wantsToken ||= isToken;
    }
  }
  return wantsToken ? Object.fromEntries(found) : undefined;
}

/** Thrown when the server requires a sign-in and there is none that can be used or renewed. */
export class SignInRequiredError extends LocalizedError {
  override readonly name = 'SignInRequiredError';

  constructor(
    message: string | LocalizableMessage = (t) => t('The server needs a sign-in.'),
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** True for an error that signing in may fix: there is no sign-in, or it is void or allows too little. */
export function isSignInRequired(error: unknown): boolean {
  return error instanceof SignInRequiredError;
}

/** Explains in one sentence why a sign-in failed; returns user errors and cancellations unchanged. */
export function explainSignInFailure(error: unknown): Error {
  if (error instanceof UserError || isCancellation(error)) return error as Error;
  if (isTimeout(error))
    return new UserError((t) => t('The sign-in took too long.'), { cause: error });
  const why: LocalizableMessage = (t) =>
    responseFailure(error, t) ?? refusal(error, t) ?? wordsLabel(errorMessage(error, t), 500);
  const where = unreachedOrigin(error);
  return new UserError(
    (t) =>
      where === undefined
        ? t('The sign-in failed: {0}', why(t))
        : t('The sign-in failed at {0}: {1}', addressLabel(where), why(t)),
    { cause: error },
  );
}

/** Words a refusal that is not a valid OAuth error: the SDK would quote all of it and why it could not be parsed. */
function refusal(error: unknown, t: Translate): string | undefined {
  const [, status] = /^HTTP (\d{3}): Invalid OAuth error response/.exec(errorMessage(error)) ?? [];
  return status && t('The authorization server answered with HTTP status {0}.', status);
}
