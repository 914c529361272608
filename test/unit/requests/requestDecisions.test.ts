import assert from 'node:assert/strict';
import type { AuditRecord } from '../../../src/audit/auditLog';
import { deferred } from '../../../src/base/async';
import { withdrawnBy, type Withdrawal } from '../../../src/contracts/questionOutcome';
import type { AskingServer, ServerRequestHandlers } from '../../../src/mcp/protocol/serverRequests';
import { createRequestDecisions, withdrawnRefusal } from '../../../src/requests/requestDecisions';
import { settled } from '../../support/fakes/fakeClock';
import { silence, type ScriptedTransport } from '../../support/fakes/scriptedTransport';
import { keepRedacted, memoryLog } from '../audit/memoryLog';
import { legacyServer, modernServer, openScripted } from '../mcp/scriptedSession';

const elicitation = 'elicitation/create';
const requests = {
  'a form': {
    method: elicitation,
    params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
  },
  'a visit': {
    method: elicitation,
    params: { mode: 'url', message: 'Visit.', url: 'https://example.com', elicitationId: 'one' },
  },
  'a request to a model': {
    method: 'sampling/createMessage',
    params: { messages: [], maxTokens: 10 },
  },
};

/** How a request is ended early: as a withdrawn question, or by the work on it. */
const givings = {
  'is asked': (signal: AbortSignal) => withdrawnRefusal(withdrawnBy(signal).reason),
  'is worked on': (signal: AbortSignal): unknown => signal.reason,
};

/** Opens a session with a server that asks during a call, and records what is logged about that. */
async function open(
  request: (typeof requests)[keyof typeof requests],
  given: (signal: AbortSignal) => unknown,
  era: 'legacy' | 'modern',
) {
  const records: AuditRecord[] = [];
  const log = memoryLog(records);
  const decisions = createRequestDecisions(log, keepRedacted);
  const asked = deferred<void>();
  const ask = (server: AskingServer, question: unknown, signal: AbortSignal) =>
    decisions.run<never>({ server, method: request.method, question }, signal, (until) => {
      asked.resolve();
      return new Promise((_, reject) =>
        until.addEventListener('abort', () => reject(given(until))),
      );
    });
  const answering: ServerRequestHandlers = { elicit: ask, createMessage: ask };
  const asking = { resultType: 'input_required', inputRequests: { one: request } };
  const transport =
    era === 'legacy'
      ? legacyServer({ scripts: { 'tools/call': () => silence } })
      : modernServer({ scripts: { 'tools/call': () => asking } });
  const session = await openScripted(transport, { requests: answering });
  const call = new AbortController();
  session.request('tools/call', { name: 'ask' }, { signal: call.signal }).catch(() => {});
  if (era === 'legacy') {
    await transport.request('tools/call');
    transport.receive({ id: 7, ...request });
  }
  await asked.promise;
  const written = async () => {
    await log.pending.settled();
    return records.map((record) => [
      record.kind,
      'action' in record && record.action,
      'decidedBy' in record && record.decidedBy,
    ]);
  };
  return { transport, call, decisions, written };
}

const ends: readonly (readonly [
  string,
  (opened: {
    readonly transport: ScriptedTransport;
    readonly call: AbortController;
    readonly decisions: { dispose(): void };
  }) => unknown,
  Withdrawal,
])[] = [
  ['the server ends', ({ transport }) => transport.close(), 'serverStopped'],
  ['its call is cancelled', ({ call }) => call.abort(), 'cancelled'],
  [
    'the window is closed, with which the server ends',
    ({ decisions, transport }) => {
      decisions.dispose();
      return transport.close();
    },
    'windowClosed',
  ],
];

describe('the log of a request that nobody answered', () => {
  for (const [what, request] of Object.entries(requests))
    for (const [when, given] of Object.entries(givings)) {
      for (const era of ['legacy', 'modern'] as const)
        for (const [how, end, because] of ends)
          it(`says of ${what} that ${when} (${era}) that nobody decided where ${how}: ${because}`, async () => {
            const opened = await open(request, given, era);
            await end(opened);
            await settled();
            assert.deepEqual(await opened.written(), [
              ['requestAnswered', 'withdrawn', { kind: 'nobody', because }],
            ]);
          });

      it(`says of ${what} that ${when} that it was cancelled where the server took it back`, async () => {
        const { transport, written } = await open(request, given, 'legacy');
        transport.receive({ method: 'notifications/cancelled', params: { requestId: 7 } });
        await settled();
        // What ends later is not the reason.
        await transport.close();
        assert.deepEqual(await written(), [
          ['requestAnswered', 'withdrawn', { kind: 'nobody', because: 'cancelled' }],
        ]);
      });
    }
});
