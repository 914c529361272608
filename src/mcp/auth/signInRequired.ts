import { WordedError } from '../../base/errors';
import type { Sentence } from '../../base/translate';

/** What a server said when it refused a request for want of a sign-in or of a permission. */
export interface Challenge {
  /** The permissions that the request needs, separated by spaces. */
  readonly scope?: string;
  /** Where the server describes how to sign in. */
  readonly resourceMetadataUrl?: URL;
  /** The sign-in is valid but does not cover the request. */
  readonly insufficientScope: boolean;
}

/** The server wants a sign-in, and there is none that could be used or renewed. */
export class SignInRequiredError extends WordedError {
  override readonly name = 'SignInRequiredError';

  constructor(
    message: string | Sentence = (t) => t('The server needs a sign-in.'),
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** True for an error that a sign-in may help against: there is none, it is void, or it allows too little. */
export function isSignInRequired(error: unknown): boolean {
  return error instanceof SignInRequiredError;
}
