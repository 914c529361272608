import assert from 'node:assert/strict';
import type { AuditRecord } from '../../../src/audit/auditLog';
import { createCallAudit } from '../../../src/audit/callAudit';
import { SecretMask } from '../../../src/base/secretMask';
import { redacted } from '../../../src/base/secrets';
import type { SentOutcome, ToolCall } from '../../../src/contracts/toolCalls';
import { fakeServer, tool } from '../../support/fakes/fakeServer';
import { keepRedacted, memoryLog } from './memoryLog';

const stored = 'stored-input';
const key = 'sk-live-0123456789abcdefghij';
const secrets = new SecretMask();
secrets.hide([stored]);

/** Returns everything that is written about a call. */
async function written(part: {
  args?: ToolCall['arguments'];
  reason?: string;
  outcome?: SentOutcome;
}): Promise<readonly AuditRecord[]> {
  const records: AuditRecord[] = [];
  const retention = { ...keepRedacted, mask: (text: string) => secrets.apply(text) };
  const record = createCallAudit(memoryLog(records), retention)();
  const { args = {}, reason, outcome = { kind: 'cancelled' } } = part;
  const origin = { kind: 'user', action: undefined } as const;
  const call = { server: fakeServer({}), tool: tool({ name: 'echo' }), arguments: args, origin };
  const decision = {
    verdict: 'denied',
    decidedBy: { kind: 'user' },
    ...(reason !== undefined && { reason }),
  } as const;
  await record.begun({ call, decision }, args);
  await record.ended(outcome);
  return records;
}

const result = (problem: string): SentOutcome => ({
  kind: 'result',
  result: { content: [], isError: false },
  arguments: {},
  edited: false,
  problems: [() => problem],
});

describe('a call in the audit log', () => {
  const failed = (text: string): SentOutcome => ({ kind: 'failed', message: () => text });
  const cases: readonly [title: string, part: Parameters<typeof written>[0], kept: string][] = [
    [
      'a secret by its form in an error',
      { outcome: failed(`invalid key ${key}`) },
      `invalid key ${redacted}`,
    ],
    [
      'a secret by its name in an error',
      { outcome: failed('refused: api_key=hunter2') },
      `refused: api_key=${redacted}`,
    ],
    ['a stored input in an error', { outcome: failed(`no ${stored} here`) }, `no ${redacted} here`],
    [
      'a stored input in a problem of a result',
      { outcome: result(`is ${stored}`) },
      `is ${redacted}`,
    ],
    ['a stored input in a reason', { reason: `not ${stored}` }, `not ${redacted}`],
    ['a stored input in an argument', { args: { text: `say ${stored}` } }, `say ${redacted}`],
    [
      'a stored input in the name of an argument',
      { args: { [`x ${stored}`]: 1 } },
      `x ${redacted}`,
    ],
    [
      'a secret by its name in an argument',
      { args: { line: 'API_KEY=hunter2 run' } },
      `API_KEY=${redacted} run`,
    ],
  ];
  for (const [title, part, kept] of cases)
    it(`has no secret: ${title}`, async () => {
      const text = JSON.stringify(await written(part));
      assert.ok(text.includes(kept), text);
      assert.doesNotMatch(text, /stored-input|hunter2|sk-live/);
    });

  it('shows no part of a secret where a message is cut', async () => {
    const outcome = failed(`${'x'.repeat(3990)} ${stored}`);
    assert.doesNotMatch(JSON.stringify(await written({ outcome })), /stored/);
  });

  it('keeps at most 4,000 characters of a message', async () => {
    const [, ended] = await written({ outcome: failed('x'.repeat(10_000)) });
    assert.ok(ended?.kind === 'callEnded');
    assert.equal(ended.message?.length, 4000);
  });
});
