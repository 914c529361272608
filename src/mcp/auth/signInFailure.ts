import { errorMessage, isCancellation, isTimeout, UserError } from '../../base/errors';
import { plainLabel } from '../../base/text/text';
import type { Sentence, Translate } from '../../base/translate';
import { responseFailure } from '../protocol/errorFacts';
import { unreachedOrigin } from './secureUrl';

/** Explains in one sentence why a sign-in failed; returns user errors and cancellations unchanged. */
export function explainSignInFailure(error: unknown): Error {
  if (error instanceof UserError || isCancellation(error)) return error as Error;
  if (isTimeout(error))
    return new UserError((t) => t('The sign-in took too long.'), { cause: error });
  const why: Sentence = (t) =>
    responseFailure(error, t) ?? refusal(error, t) ?? plainLabel(errorMessage(error, t), 500);
  const where = unreachedOrigin(error);
  return new UserError(
    (t) =>
      where === undefined
        ? t('The sign-in failed: {0}', why(t))
        : t('The sign-in failed at {0}: {1}', plainLabel(where), why(t)),
    { cause: error },
  );
}

/** Words a refusal that is not a valid OAuth error: the SDK would quote all of it and why it could not be parsed. */
function refusal(error: unknown, t: Translate): string | undefined {
  const [, status] = /^HTTP (\d{3}): Invalid OAuth error response/.exec(errorMessage(error)) ?? [];
  return status && t('The authorization server answered with HTTP status {0}.', status);
}
