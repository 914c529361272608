import assert from 'node:assert/strict';
import type { AuditRecord } from '../../../src/audit/auditLog';
import { createRequestAudit } from '../../../src/audit/requestAudit';

const server = { id: 'demo', name: 'Demo' };

function open(kept: 'redacted' | 'hashes' = 'redacted') {
  const records: AuditRecord[] = [];
  const write = createRequestAudit({
    log: {
      write: (record) => Promise.resolve(void records.push(record)),
      read: () => Promise.resolve(records),
      onDidWrite: () => ({ dispose: () => {} }),
    },
    session: 'window',
    keep: () => kept,
  });
  /** What is written of one question. */
  const written = async (question: unknown, answer?: unknown) => {
    await write({ server, method: 'elicitation/create', question, action: 'accept', answer });
    const record = records.at(-1);
    assert.ok(record?.kind === 'requestAnswered');
    return record;
  };
  return { written };
}

describe('a question in the audit log', () => {
  it('has who asked what, how, and what went back', async () => {
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

  it('has of media only the beginning', async () => {
    const image = { type: 'image', mimeType: 'image/png', data: 'QUJD'.repeat(10_000) };
    const text = JSON.stringify(await open().written({ messages: [{ content: [image] }] }));
    assert.ok(text.length < 1000, String(text.length));
    assert.match(text, /image\/png/);
  });

  it('has only fingerprints where the person wants no more kept', async () => {
    const { written } = open('hashes');
    const first = await written({ message: 'private' }, { content: { name: 'Ada' } });
    assert.doesNotMatch(JSON.stringify(first), /private|Ada/);
    const second = await written({ message: 'private' }, { content: { name: 'Grace' } });
    assert.deepEqual(second.question, first.question);
    assert.notDeepEqual(second.answer, first.answer);
  });
});
