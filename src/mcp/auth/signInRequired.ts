import { LocalizedError } from '../../base/errors';
import type { LocalizableMessage } from '../../base/translate';

/** What a server said when it refused a request for lack of a sign-in or a permission. */
export interface Challenge {
  /** The permissions that the request needs, separated by spaces. */
  readonly scope?: string;
  /** The URL where the server describes how to sign in. */
  readonly resourceMetadataUrl?: URL;
  /** True if the sign-in is valid but does not cover the request. */
  readonly insufficientScope: boolean;
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
