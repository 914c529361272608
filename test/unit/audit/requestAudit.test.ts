import assert from 'node:assert/strict';
import type { AuditRecord, AuditRetention } from '../../../src/audit/auditLog';
import { createRequestAudit } from '../../../src/audit/callAudit';
import { SecretMask } from '../../../src/base/secretMask';
import { redacted } from '../../../src/base/secrets';
import { keepRedacted, memoryLog } from './memoryLog';

const server = { id: 'demo', name: 'Demo' };
const decidedBy = { kind: 'user', how: 'key' } as const;

function open(retention: Partial<AuditRetention> = {}) {
  const records: AuditRecord[] = [];
  const write = createRequestAudit(memoryLog(records), { ...keepRedacted, ...retention });
  /** Returns what is written about one question. */
  const written = async (question: unknown, answer?: unknown, asking = server) => {
    await write({
      server: asking,
      method: 'elicitation/create',
      question,
      action: 'accept',
      decidedBy,
      answer,
    });
    const record = records.at(-1);
    assert.ok(record?.kind === 'requestAnswered');
    return record;
  };
  return { written };
}

describe('a question in the audit log', () => {
  it('has who asked what, how, who decided, and what went back', async () => {
    const question = { mode: 'form', message: 'Who are you?' };
    const answer = { action: 'accept', content: { name: 'Ada' } };
    const { id, time, ...record } = await open().written(question, answer);
    assert.match(id, /^[0-9a-f-]{36}$/);
    assert.ok(Math.abs(Date.parse(time) - Date.now()) < 60_000);
    assert.deepEqual(record, {
      kind: 'requestAnswered',
      session: 'window',
      server,
      method: 'elicitation/create',
      question: { value: question },
      action: 'accept',
      decidedBy,
      answer: { value: answer },
    });
  });

  it('has no answer where none was given', async () => {
    assert.equal('answer' in (await open().written({ message: 'x' })), false);
  });

  it('has nothing that looks like a secret, by its name or by its form', async () => {
    const content = { password: 'hunter2', note: 'ghp_0123456789abcdefghijKLMN', name: 'Ada' };
    const text = JSON.stringify(await open().written({}, { content }));
    assert.doesNotMatch(text, /hunter2|ghp_/);
    assert.match(text, /Ada/);
  });

  it('has no value that is known to be secret, in what was asked and in what went back', async () => {
    const secrets = new SecretMask();
    secrets.hide(['stored-input']);
    const { written } = open({ mask: (text) => secrets.apply(text) });
    const record = await written({ message: 'With stored-input?' }, { content: ['stored-input'] });
    assert.deepEqual(record.question, { value: { message: `With ${redacted}?` } });
    assert.deepEqual(record.answer, { value: { content: [redacted] } });
  });

  it('keeps only the beginning of media', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'QUJD'.repeat(10_000) };
    const text = JSON.stringify(await open().written({ messages: [{ content: [image] }] }));
    assert.ok(text.length < 1000, String(text.length));
    assert.match(text, /image\/png/);
  });

  let deep: unknown = 'end';
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  const floods: readonly [what: string, question: unknown][] = [
    ['long', { message: 'x'.repeat(10_000_000) }],
    ['wide', { messages: Array.from({ length: 100_000 }, (_, index) => `text ${index}`) }],
    ['deep', { message: deep }],
  ];
  for (const [what, question] of floods)
    it(`takes 64 kB at most where it is ${what}`, async () => {
      const name = 'n'.repeat(100_000);
      const asking = { id: name, name };
      const line = JSON.stringify(await open().written(question, question, asking));
      assert.ok(Buffer.byteLength(line) < 64_000, String(Buffer.byteLength(line)));
    });

  it('keeps at most 4,000 characters of each text', async () => {
    const message = 'x'.repeat(10_000);
    const { question } = await open().written({ message });
    const { value } = Object(question) as { readonly value: unknown };
    const kept = Object(value) as { readonly message: string };
    assert.ok(kept.message.startsWith('xxx'));
    assert.equal(kept.message.length, 4000);
  });

  it('shows no part of a secret where it is cut', async () => {
    const message = `${'x'.repeat(3985)} ghp_0123456789abcdefghijKLMN`;
    assert.doesNotMatch(JSON.stringify(await open().written({ message })), /ghp_/);
  });

  it('has only fingerprints where the user wants no more kept', async () => {
    const { written } = open({ keep: () => 'hashes' });
    const first = await written({ message: 'private' }, { content: { name: 'Ada' } });
    assert.doesNotMatch(JSON.stringify(first), /private|Ada/);
    const second = await written({ message: 'private' }, { content: { name: 'Grace' } });
    assert.deepEqual(second.question, first.question);
    assert.notDeepEqual(second.answer, first.answer);
  });
});
