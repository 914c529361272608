import { neverAborted } from '../../base/async';
import { errorMessage, isCancellation } from '../../base/errors';
import { inEnglish, type Translate } from '../../base/translate';
import type { StartOutcome } from '../serverState';
import type { Authorization } from './authorization';

/** The part of a connection that signing in needs. */
interface Startable {
  start(): Promise<StartOutcome>;
}

/** How to sign in: until when, and whether only for permissions that were not requested before. */
export interface SignInOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onlyIfNew?: boolean;
  /** Translates what went wrong; English if omitted. */
  readonly t?: Translate | undefined;
}

/** Signs in to a server and starts it unless it is running; the outcome says what went wrong. */
export async function signInAndStart(
  connection: Startable,
  authorization: Authorization,
  { signal = neverAborted(), onlyIfNew = false, t = inEnglish }: SignInOptions = {},
): Promise<StartOutcome> {
  try {
    await authorization.signIn(signal, onlyIfNew);
  } catch (error) {
    return isCancellation(error)
      ? { kind: 'refused', message: t('The sign-in was cancelled.'), byUser: true }
      : { kind: 'failed', message: errorMessage(error, t) };
  }
  const outcome = await connection.start();
  return outcome.kind === 'needsSignIn'
    ? { kind: 'failed', message: t('The server does not accept the sign-in that was just made.') }
    : outcome;
}
