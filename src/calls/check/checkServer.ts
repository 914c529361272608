import { plainLabel } from '../../base/text/text';
import { kindOf } from '../../mcp/launch/launchKinds';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import type { CallsSession } from '../run/session';
import { checkBehavior } from './behavior';
import { checkDefinitions, type Seen } from './definitions';
import type { CheckResult } from './finding';
import { rules } from './rules';

/** What a check needs. */
export interface CheckOptions {
  readonly schemas: SchemaCheck;
  readonly signal: AbortSignal;
}

/** Checks what every server should do, and ends the session to see how the server exits. */
export async function checkServer(
  session: CallsSession,
  { schemas, signal }: CheckOptions,
): Promise<readonly CheckResult[]> {
  const { server } = session;
  const seen = [
    ...(await checkDefinitions(server, schemas)),
    ...(await checkBehavior(session, signal)),
  ];
  const isProcess = kindOf(server.definition.config).isProcess;
  const { unexpectedOutput } = server.lastAttempt;
  seen.push(
    isProcess
      ? { id: 'stdout', seen: unexpectedOutput === undefined ? [] : [plainLabel(unexpectedOutput)] }
      : notAProcess('stdout'),
  );
  await session.end();
  seen.push(
    isProcess
      ? {
          id: 'exit',
          seen: !server.lastAttempt.neededSignal
            ? []
            : ['Something still ran two seconds later, and was told by a signal.'],
        }
      : notAProcess('exit'),
  );
  return seen.map(toResult);
}

function notAProcess(id: Seen['id']): Seen {
  return { id, seen: ['The server is reached at an address.'], verdict: 'skipped' };
}

function toResult({ id, seen, verdict = 'failed' }: Seen): CheckResult {
  return { id, ...rules[id], seen, verdict: seen.length === 0 ? 'passed' : verdict };
}
