import assert from 'node:assert/strict';
import type { AuditRecord, CallBegun } from '../../../src/audit/auditLog';
import { beginningOf, logSessions, shownRecords } from '../../../src/audit/logSessions';

const begun = (id: string, session: string, tool = 'tool'): CallBegun => ({
  kind: 'callBegun',
  id,
  time: `2026-01-01T00:00:0${id}Z`,
  session,
  origin: 'user',
  server: { id: 'demo', name: 'demo' },
  tool,
  launchFingerprint: '',
  toolFingerprint: '',
  arguments: { value: { path: `file-${id}` } },
  argumentBytes: 17,
  edited: false,
  decision: 'allowed',
  decidedBy: { kind: 'user', how: 'click' },
});

const ended = (id: string): AuditRecord => ({
  kind: 'callEnded',
  id,
  time: '',
  outcome: 'result',
  durationMs: 5,
});

describe('The log by session', () => {
  const records = [begun('1', 'a'), begun('2', 'a'), ended('1'), begun('3', 'b', 'Other')];

  it('has the latest session and entry first, each call with its end', () => {
    const shown = logSessions(records).map(({ id, startedAt, entries }) => [
      id,
      startedAt,
      ...entries.map((entry) => [
        beginningOf(entry).time.at(-2),
        entry.kind === 'call' ? entry.ended?.outcome : undefined,
      ]),
    ]);
    assert.deepEqual(shown, [
      ['b', '2026-01-01T00:00:03Z', ['3', undefined]],
      ['a', '2026-01-01T00:00:01Z', ['2', undefined], ['1', 'result']],
    ]);
  });

  for (const [what, orders] of [
    ['that began last', ['a', 'b']],
    ['that has been there for longer, once something happens in it', ['a', 'b', 'a']],
  ] as const)
    it(`has the window first ${what}`, () => {
      const entries = orders.map((session, at) => begun(String(at), session));
      assert.equal(logSessions(entries)[0]?.id, orders.at(-1));
    });

  for (const [filter, found] of [
    ['other', ['3']],
    ['FILE-2', ['2']],
    ['"outcome":"result"', ['1']],
    ['nothing', []],
  ] as const)
    it(`shows what holds “${filter}”`, () =>
      assert.deepEqual(
        logSessions(records, filter).flatMap(({ entries }) =>
          entries.map((entry) => beginningOf(entry).time.at(-2)),
        ),
        found,
      ));

  const question: AuditRecord = { ...begun('1', 'a'), kind: 'callAsked' };
  const all = [question, ...records];
  for (const [filter, found] of [
    ['', all],
    ['FILE-1', [question, records[0], records[2]]],
    ['nothing', []],
  ] as const)
    it(`has all records of the entries that hold “${filter}”`, () =>
      assert.deepEqual(shownRecords(all, filter), found));

  it('shows a call that the user was asked about until it was decided on', () => {
    const asked = (id: string): AuditRecord => {
      const { time, session, server, tool } = begun(id, 'a');
      return { kind: 'callAsked', id, time, session, server, tool };
    };
    const [session] = logSessions([asked('1'), begun('1', 'a'), asked('2')]);
    assert.deepEqual(
      session?.entries.map((entry) => [entry.kind, beginningOf(entry).time.at(-2)]),
      [
        ['asked', '2'],
        ['call', '1'],
      ],
    );
  });

  for (const [what, later, expected] of [
    ['the window that began it', [], 'a'],
    ['a later one that took it up', ['b'], 'b'],
    ['the last one that took it up', ['b', 'c'], 'c'],
  ] as const)
    it(`has a call followed by ${what}`, () => {
      const resumed = later.map((session): AuditRecord => ({
        kind: 'callResumed',
        id: '1',
        time: '',
        session,
      }));
      const [session, ...others] = logSessions([begun('1', 'a'), ...resumed]);
      assert.deepEqual([session?.id, others], ['a', []]);
      const [entry] = session?.entries ?? [];
      assert.equal(entry?.kind === 'call' && entry.followedBy, expected);
    });

  it('shows what servers asked, too', () => {
    const [session] = logSessions([
      {
        kind: 'requestAnswered',
        id: '9',
        time: 'now',
        session: 'c',
        server: { id: 'demo', name: 'demo' },
        method: 'sampling/createMessage',
        question: {},
        action: 'deny',
      },
    ]);
    assert.equal(session?.entries[0]?.kind, 'request');
  });
});
