import assert from 'node:assert/strict';
import type { Decider } from '../../../src/contracts/questionOutcome';
import { readAuditRecord } from '../../../src/audit/openAuditLog';

describe('A record of the audit log', () => {
  const older: readonly [by: string, decidedBy: Decider][] = [
    ['person', { kind: 'user' }],
    ['person: once', { kind: 'user' }],
    [
      'person: workspace, arguments',
      { kind: 'user', approved: { duration: 'workspace', coverage: 'arguments' } },
    ],
    ['approval', { kind: 'approval' }],
    ['schema', { kind: 'schema' }],
    ['denyList', { kind: 'rule', setting: 'mcpWorkbench.tools.denyList' }],
    ['serverPolicy', { kind: 'rule', setting: 'mcpWorkbench.tools.serverPolicy' }],
    ['readOnlyHint', { kind: 'rule', setting: 'mcpWorkbench.tools.trustReadOnlyHint' }],
  ];
  for (const [by, decidedBy] of older)
    it(`of an earlier version says who decided: ${by}`, () => {
      const call = { kind: 'callBegun', id: '1', tool: 'echo', decision: 'allowed' };
      assert.deepEqual(readAuditRecord({ ...call, by }), { ...call, decidedBy });
    });

  it('of an earlier version has the names of today', () => {
    const { by, ...call } = { kind: 'callBegun', id: '1', tool: 'echo', by: 'person' };
    assert.deepEqual(
      readAuditRecord({ ...call, by, origin: 'person', launchPrint: 'a', toolPrint: 'b' }),
      {
        ...call,
        origin: 'user',
        launchFingerprint: 'a',
        toolFingerprint: 'b',
        decidedBy: { kind: 'user' },
      },
    );
  });

  it('is what was written', () => {
    for (const record of [
      { kind: 'callBegun', id: '1', decidedBy: { kind: 'nobody', because: 'cancelled' } },
      { kind: 'callAsked', id: '1' },
      { kind: 'requestAnswered', id: '2', question: {} },
    ])
      assert.deepEqual(readAuditRecord(record), record);
  });

  for (const value of [undefined, null, 1, 'text', [], {}, { kind: 'callBegun' }])
    it(`is nothing else: ${JSON.stringify(value)}`, () =>
      assert.equal(readAuditRecord(value), undefined));
});
