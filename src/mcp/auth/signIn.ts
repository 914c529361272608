import { neverAborted } from '../../base/abort';
import { errorMessage, isCancellation } from '../../base/errors';
import { inEnglish, type Translate } from '../../base/translate';
import type { StartOutcome } from '../server';
import type { Authorization } from './authorization';

/** The part of a connection that signing in needs. */
interface Startable {
  start(): Promise<StartOutcome>;
}

/** How a sign-in is made: until when, and whether only for permissions not asked for before. */
export interface SignInOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onlyIfNew?: boolean;
  /** Words what went wrong; in English, if left out. */
  readonly t?: Translate | undefined;
}

/** Signs in to a server and starts it unless it runs; what went wrong is in the outcome. */
export async function signInAndStart(
  connection: Startable,
  authorization: Authorization,
  { signal = neverAborted(), onlyIfNew = false, t = inEnglish }: SignInOptions = {},
): Promise<StartOutcome> {
  try {
    await authorization.signIn(signal, onlyIfNew);
  } catch (error) {
    return isCancellation(error)
      ? { kind: 'refused', message: t('The sign-in was cancelled.') }
      : { kind: 'failed', message: errorMessage(error, t) };
  }
  const outcome = await connection.start();
  return outcome.kind === 'needsSignIn'
    ? { kind: 'failed', message: t('The server does not accept the sign-in that was just made.') }
    : outcome;
}
