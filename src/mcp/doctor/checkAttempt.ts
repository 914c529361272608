import { causesOf, UserError } from '../../base/errors';
import { jsonText } from '../../base/text/jsonText';
import { truncate } from '../../base/text/text';
import type { Translate } from '../../base/translate';
import type { Attempt } from '../connection/attempt';
import type { Server } from '../server';
import type { FailedState } from '../serverState';
import type { Finding } from './finding';

/** Enough of unexpected output to recognize what it is, in UTF-16 units. */
const unexpectedLength = 200;

/** Says how the last start of a server that is not running went. */
export function checkAttempt({ state, lastAttempt }: Server, t: Translate): Finding[] {
  const { stderrTail, unexpectedOutput } = lastAttempt;
  const findings = [outcome(state, lastAttempt, t)];
  if (unexpectedOutput)
    findings.push({
      verdict: 'bad',
      title: t('The first line on stdout is not a protocol message'),
      // As JSON, so that invisible characters can be seen.
      detail: jsonText(truncate(unexpectedOutput, unexpectedLength)),
      next: t(
        'A stdio server may only write messages to stdout. Check that the command starts the server and not a launcher that prints, and that the server logs to stderr.',
      ),
    });
  if (stderrTail)
    findings.push({ verdict: 'note', title: t('Last lines on stderr'), detail: stderrTail });
  return findings;
}

/** Says how a server failed before the diagnosed start, which may hide that. */
export function checkEarlier({ message, detail }: FailedState, t: Translate): Finding {
  return {
    verdict: 'bad',
    title: t('Before this start: {0}', message),
    detail,
    next: t("The server's log may say more about that."),
  };
}

function outcome(state: Server['state'], attempt: Attempt, t: Translate): Finding {
  switch (state.kind) {
    case 'failed':
      return {
        verdict: 'bad',
        title: state.message,
        detail: exactError(attempt.error),
        next: endingStep(attempt, t),
      };
    case 'reconnecting':
      return {
        verdict: 'bad',
        title: t('The server cannot be reached: {0}', state.message),
        next: t('Start it again where it runs, or restart it on its row.'),
      };
    case 'needsSignIn':
      return state.problem === undefined
        ? {
            verdict: 'bad',
            title: t('The server requires sign-in'),
            next: t('Run "Sign In" on its row.'),
          }
        : {
            verdict: 'bad',
            title: t('The server requires sign-in, and the last attempt failed'),
            detail: state.problem,
            next: t('Fix that, then run "Sign In" on its row again.'),
          };
    case 'stopped':
    case 'starting':
    case 'running':
      return {
        verdict: 'bad',
        title: t('The server was not started'),
        next: t('Start it, and trust its launch configuration if you are asked.'),
      };
  }
}

function endingStep({ ending, stderrTail }: Attempt, t: Translate): string | undefined {
  if (ending === undefined) return undefined;
  return stderrTail
    ? t('The last lines below usually say why.')
    : t('It gave no reason. Run its command line in a terminal to see more.');
}

/** Lists each cause with its code; `undefined` if the error is only a sentence. */
function exactError(error: unknown): string | undefined {
  const causes = causesOf(error)
    .filter((one) => !(one instanceof UserError))
    .map((one) => {
      const { code } = one as { readonly code?: number | string };
      return `${one.name}${code === undefined ? '' : ` [${code}]`}: ${one.message}`;
    });
  return causes.join('\n') || undefined;
}
