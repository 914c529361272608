import { within } from '../../base/async';
import { plainLabel } from '../../base/text/text';
import { type Translate, inEnglish } from '../../base/translate';
import { kindOf } from '../../mcp/launch/launchKinds';
import { endSession } from '../session';
import { checkDefinitions, readLists } from './checkDefinitions';
import { type CheckResult, answered, notAProcess, resultsOf } from './checkResult';
import { BehaviorCheck, type BehaviorCheckDeps, type CheckedSession } from './behaviorCheck';

/** How long a check waits, in milliseconds, so that no outcome depends on the speed of the machine or the server. */
export interface CheckTimeouts {
  /** For what a server does some time after its start, such as asking for roots. */
  readonly quietMs: number;
  /** For the answers to what it asked itself, before its input ends. */
  readonly answersMs: number;
  /** For its end, once its input has ended. */
  readonly endMs: number;
}

/** The {@link CheckTimeouts} of checks for users. */
export const checkTimeouts: CheckTimeouts = { quietMs: 2000, answersMs: 10_000, endMs: 30_000 };

/** What a check needs. */
export interface CheckOptions extends Pick<BehaviorCheckDeps, 'schemas' | 'signal' | 'allowCalls'> {
  readonly timeouts?: CheckTimeouts;
  /** Words the results; in English if absent, as in a terminal. */
  readonly t?: Translate;
}

/** Checks what every server should do, and ends the session to see how the server exits. */
export async function checkServer(
  session: CheckedSession,
  options: CheckOptions,
): Promise<readonly CheckResult[]> {
  const { signal, timeouts = checkTimeouts, t = inEnglish } = options;
  const { server } = session;
  const deps = { ...options, t, quietMs: timeouts.quietMs };
  const reading = await readLists(server, signal, t);
  const seen = [
    ...(await checkDefinitions(server, reading, deps)),
    ...(await new BehaviorCheck(session, reading, deps).run()),
  ];
  const late = new AbortController();
  const until = AbortSignal.any([signal, late.signal]);
  await within(answered(session.traffic, until), timeouts.answersMs);
  late.abort();
  signal.throwIfAborted();
  await endSession(session, signal);
  signal.throwIfAborted();
  const isProcess = kindOf(server.definition.config).isProcess;
  const { unexpectedOutput, neededSignal } = server.lastAttempt;
  seen.push(
    isProcess
      ? { id: 'stdout', seen: unexpectedOutput === undefined ? [] : [plainLabel(unexpectedOutput)] }
      : notAProcess('stdout', t),
    isProcess
      ? {
          id: 'exit',
          seen: neededSignal
            ? [
                t(
                  'Something still ran {0} seconds later, and was told by a signal.',
                  String(timeouts.endMs / 1000),
                ),
              ]
            : [],
        }
      : notAProcess('exit', t),
  );
  return resultsOf(seen, t);
}
