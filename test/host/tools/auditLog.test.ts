import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CallBegun } from '../../../src/audit/auditLog';
import { openAuditLog } from '../../../src/audit/openAuditLog';
import { createRequestAudit } from '../../../src/audit/requestAudit';
import { silentLogger } from '../../../src/base/log';
import type { Logs } from '../../../src/ui/logs';

const call: CallBegun = {
  kind: 'callBegun',
  id: '1',
  time: new Date().toISOString(),
  session: 'window',
  origin: 'chat',
  server: { id: 'demo', name: 'demo' },
  tool: 'echo',
  launchPrint: '',
  toolPrint: '',
  arguments: { value: {} },
  argumentBytes: 2,
  edited: false,
  decision: 'allowed',
  decidedBy: { kind: 'user', how: 'key' },
};

describe('the audit log', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-audit-'));
  });
  afterEach(() => rm(folder, { recursive: true, force: true }));

  const open = () => {
    const context = { storageUri: vscode.Uri.file(folder) } as vscode.ExtensionContext;
    return openAuditLog(context, { extension: silentLogger } as unknown as Logs);
  };

  it('keeps its calls however much servers ask', async function () {
    this.timeout(60_000);
    const log = open();
    await log.write(call);
    const audit = createRequestAudit(log, () => 'redacted');
    const text = Array.from({ length: 100 }, (_, index) => `${index} ${'x'.repeat(100_000)}`);
    const server = { id: 'demo', name: 'demo' };
    for (let count = 0; count < 500; count += 1)
      await audit({ server, method: 'elicitation/create', question: text, action: 'refused' });
    assert.deepEqual((await log.read())[0], call);
    const files = await readdir(folder);
    const sizes = await Promise.all(
      files.map(async (name) => (await stat(join(folder, name))).size),
    );
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 12_000_000, sizes.join());
  });

  it('has what happened in the order of time, also what an earlier version wrote', async () => {
    const { decidedBy: _new, ...older } = call;
    const time = (second: number) => new Date(second * 1000).toISOString();
    const asked = { kind: 'requestAnswered', id: '2', time: time(2), session: 'before' };
    const lines = [{ ...older, time: time(1), by: 'person: once' }, asked, 'broken'];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    await writeFile(join(folder, 'audit.jsonl'), `${text}\n`);
    const log = open();
    await log.write({ ...call, id: '3', time: time(3) });
    const records = await log.read();
    assert.deepEqual(
      records.map(({ id }) => id),
      ['1', '2', '3'],
    );
    assert.deepEqual(records[0], { ...call, time: time(1), decidedBy: { kind: 'user' } });
  });

  it('tells windows apart, which the editor may not', () => {
    const sessions = [open(), open()].map(({ session }) => session);
    assert.equal(new Set([...sessions, vscode.env.sessionId]).size, 3);
    for (const session of sessions) assert.match(session, /^[0-9a-f-]{36}$/);
  });
});
