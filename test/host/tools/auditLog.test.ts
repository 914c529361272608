import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { CallBegun, RequestAnswered } from '../../../src/audit/auditLog';
import { type LogEntry, exportLog, logSessions } from '../../../src/audit/logSessions';
import { logDetails } from '../../../src/audit/logDetails';
import { logItem, logNodes } from '../../../src/audit/toolLog';
import { openAuditLog } from '../../../src/audit/openAuditLog';
import { createRequestAudit } from '../../../src/audit/callAudit';
import { UserError } from '../../../src/base/errors';
import { silentLogger } from '../../../src/base/log';
import type { Decider } from '../../../src/contracts/questionOutcome';
import type { Logs } from '../../../src/ui/logs';
import { openRecords } from '../../../src/browser/browserPlatform';
import { nodeFiles } from '../../../src/mcp/node/nodeFiles';
import { activateWorkbench, writer } from '../../support/host/hostApi';
import { poll } from '../../support/poll';
import { watchExports } from '../../support/host/watchExports';
import { byUser } from '../../../src/ui/questions/question';

const call: CallBegun = {
  kind: 'callBegun',
  id: '1',
  time: new Date().toISOString(),
  session: 'window',
  origin: 'chat',
  server: { id: 'demo', name: 'demo' },
  tool: 'echo',
  launchFingerprint: '',
  toolFingerprint: '',
  arguments: { value: {} },
  argumentBytes: 2,
  edited: false,
  decision: 'allowed',
  decidedBy: { kind: 'user', how: 'key' },
};

const answered: RequestAnswered = {
  kind: 'requestAnswered',
  id: '1',
  time: new Date().toISOString(),
  session: 'window',
  server: { id: 'demo', name: 'demo' },
  method: 'elicitation/create',
  question: { value: {} },
  action: 'accept',
};

describe('the audit log', () => {
  let folder = '';

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-audit-'));
  });
  // The editor may still watch a folder in it, which Windows does not delete before.
  afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 }));

  const open = (home = folder) => {
    const context = { storageUri: vscode.Uri.file(home) } as vscode.ExtensionContext;
    return openAuditLog(context, nodeFiles, { extension: silentLogger } as unknown as Logs, {
      log: async () => {},
    });
  };

  it('says that it has nothing to export before it asks where to', async () => {
    const log = open();
    const exports = watchExports(join(folder, 'saved.jsonl'));
    try {
      const empty = new UserError('No call has been logged yet.');
      await assert.rejects(exportLog(byUser(), log, '', writer), empty);
      await log.write(call);
      const none = new UserError('No entry of the tool log has “nothing”.');
      await assert.rejects(exportLog(byUser(), log, 'nothing', writer), none);
      assert.deepEqual(exports.asked, []);
    } finally {
      exports.dispose();
    }
  });

  it('is exported as far as it is shown, into a file that is offered, and says so', async () => {
    const log = open();
    const saved = join(folder, 'saved.jsonl');
    const exports = watchExports(saved);
    const other = { ...call, id: '2', tool: 'other' };
    try {
      await log.write(call);
      await log.write(other);
      const lines = [call, other].map((record) => `${JSON.stringify(record)}\n`);
      for (const [filter, text] of [
        ['', lines.join('')],
        ['OTHER', lines[1]],
      ] as const) {
        await exportLog(byUser(), log, filter, writer);
        assert.equal(await readFile(saved, 'utf8'), text);
      }
      const [first] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(first);
      const offered = vscode.Uri.joinPath(first.uri, 'tool-log.jsonl').toString();
      assert.deepEqual(exports.asked, [offered, offered]);
      assert.deepEqual(exports.told, [
        'Saved 2 records of the tool log to saved.jsonl. [Open]',
        'Saved 1 record of the tool log to saved.jsonl. [Open]',
      ]);
    } finally {
      exports.dispose();
    }
  });

  it('has a row above what a filter finds, which says what that is', () => {
    const other = { ...call, id: '2', tool: 'other' };
    assert.deepEqual(
      logNodes([call, other], '').map((node) => logItem(node, false).iconPath),
      [new vscode.ThemeIcon('window')],
    );
    for (const [filter, label, rows] of [
      ['other', '“other”: 1 of 2', 2],
      ['nothing', '“nothing”: 0 of 2', 1],
    ] as const) {
      const [row, ...below] = logNodes([call, other], filter);
      assert.ok(row);
      const item = logItem(row, false);
      assert.equal(item.label, label);
      assert.equal(item.command?.command, 'mcpWorkbench.showLogEntry');
      assert.equal(below.length, rows - 1);
    }
  });

  it('keeps its calls however much servers ask', async function () {
    this.timeout(60_000);
    const log = open();
    await log.write(call);
    const audit = createRequestAudit(log, { keep: () => 'redacted', mask: (text) => text });
    const text = Array.from({ length: 100 }, (_, index) => `${index} ${'x'.repeat(100_000)}`);
    const server = { id: 'demo', name: 'demo' };
    for (let count = 0; count < 500; count += 1)
      await audit({
        server,
        method: 'elicitation/create',
        question: text,
        action: 'refused',
        decidedBy: { kind: 'client' },
      });
    assert.deepEqual((await log.read()).records[0], call);
    const files = await readdir(folder);
    const sizes = await Promise.all(
      files.map(async (name) => (await stat(join(folder, name))).size),
    );
    assert.ok(sizes.reduce((sum, size) => sum + size, 0) < 12_000_000, sizes.join());
  });

  it('has what happened in the order of time, also what an earlier version or a killed window wrote', async () => {
    const { decidedBy: _new, ...older } = call;
    const time = (second: number) => new Date(second * 1000).toISOString();
    const asked = { kind: 'requestAnswered', id: '2', time: time(2), session: 'before' };
    const lines = [{ ...older, time: time(1), by: 'person: once' }, asked, 'broken'];
    const text = lines.map((line) => JSON.stringify(line)).join('\n');
    await writeFile(join(folder, 'audit.jsonl'), `${text}\n{"kind":"callBe`);
    const log = open();
    await log.write({ ...call, id: '3', time: time(3) });
    const { records, lost } = await log.read();
    assert.deepEqual(
      records.map(({ id }) => id),
      ['1', '2', '3'],
    );
    assert.deepEqual(records[0], { ...call, time: time(1), decidedBy: { kind: 'user' } });
    assert.equal(lost, 1);
  });

  it('is read without quotes and fingerprints, and says what still runs', () => {
    const value = { path: 'a.txt', lines: [1, 2] };
    const begun = { ...call, origin: 'user', arguments: { value }, edited: true } as const;
    const followedBy = begun.session;
    const running = logDetails({ kind: 'call', begun, followedBy }, true);
    assert.match(running, /^demo › echo\n\nWhen: .*\nCalled by: you\nDecided: allowed by you\n/);
    assert.match(
      running,
      /\nEnded: running\n\nArguments, as you edited them:\n\{\n {2}"path": "a\.txt"/,
    );
    assert.doesNotMatch(running, /ingerprint|callBegun|session/);
    assert.match(
      logDetails({ kind: 'call', begun, followedBy }, false),
      /\nEnded: no result recorded\n/,
    );
    const hashed = { ...begun, arguments: { fingerprint: 'abc' } };
    assert.match(
      logDetails({ kind: 'call', begun: hashed, followedBy }, false),
      /not kept, because of mcpWorkbench/,
    );
  });

  for (const [what, entry, row, details] of [
    [
      'runs',
      { kind: 'call', begun: call, followedBy: 'other' },
      / · no result recorded · allowed by you/,
      /Ended: no result recorded\nAnother window may still be running it, or was closed/,
    ],
    [
      'is asked about',
      { kind: 'asked', asked: { ...call, kind: 'callAsked' } },
      / · no answer recorded$/,
      /Decided: no answer recorded\nAnother window may still be asking, or was closed/,
    ],
  ] satisfies [string, LogEntry, RegExp, RegExp][])
    it(`does not say whether a call ${what} in another window, as nobody knows here`, () => {
      const { id, iconPath, description, command } = logItem(entry, false);
      assert.deepEqual(iconPath, new vscode.ThemeIcon('circle-outline'));
      assert.match(String(description), row);
      assert.match(logDetails(entry, false), details);
      // If the row was just redrawn, the editor no longer knows the arguments of a click on it.
      assert.deepEqual([id, command?.arguments], ['1', undefined]);
    });

  it('says that a call was lost with its window, and that it may have been carried out', () => {
    const ended = { kind: 'callEnded', id: '1', time: call.time, outcome: 'lost' } as const;
    const entry: LogEntry = { kind: 'call', begun: call, followedBy: 'window', ended };
    const { iconPath, description } = logItem(entry, false);
    assert.deepEqual(iconPath, new vscode.ThemeIcon('warning'));
    assert.match(String(description), / · lost when the window was closed · allowed by you/);
    assert.match(logDetails(entry, false), /\nIt may have been carried out all the same\.\n/);
  });

  for (const [action, decidedBy, row, ended] of [
    ['accept', { kind: 'user', how: 'click' }, 'answered · you', 'answered'],
    ['returned', { kind: 'user', how: 'key' }, 'answered · you', 'answered'],
    ['decline', { kind: 'user', how: 'click' }, 'declined · you', 'declined'],
    ['refused', { kind: 'client' }, 'declined · MCP Workbench', 'declined'],
    ['cancel', { kind: 'user' }, 'cancelled · you', 'cancelled'],
    ['failed', { kind: 'client' }, 'failed · MCP Workbench', 'failed'],
    [
      'withdrawn',
      { kind: 'nobody', because: 'cancelled' },
      'withdrawn: it was cancelled',
      'withdrawn',
    ],
    ['accept', undefined, 'answered', 'answered'],
    ['of an earlier version', undefined, 'of an earlier version', 'of an earlier version'],
  ] satisfies [string, Decider | undefined, string, string][])
    it(`says in words how a request ended with “${action}”${decidedBy ? '' : ', whoever decided it'}`, () => {
      const entry: LogEntry = {
        kind: 'request',
        request: { ...answered, action, ...(decidedBy && { decidedBy }) },
      };
      assert.ok(String(logItem(entry, false).description).endsWith(` · ${row}`));
      assert.match(logDetails(entry, false), new RegExp(`\\nEnded: ${ended}\\n`));
    });

  it('is read in a document that wraps its lines, which may be long errors', async () => {
    await activateWorkbench();
    const request = { ...answered, action: 'failed', answer: { value: 'an error '.repeat(100) } };
    await vscode.commands.executeCommand('mcpWorkbench.showLogEntry', { kind: 'request', request });
    const document = vscode.window.activeTextEditor?.document;
    assert.match(document?.getText() ?? '', /^demo › elicitation\/create\n/);
    assert.equal(vscode.workspace.getConfiguration('editor', document).get('wordWrap'), 'on');
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });

  it('is one for all windows of a workspace, each of which has a folder of its own', async () => {
    const [first, later] = ['40fd0476', '40fd0476-1'].map((id) => {
      const path = join(folder, 'workspaceStorage', id, 'extension');
      const context = { storageUri: vscode.Uri.file(path) } as vscode.ExtensionContext;
      return openAuditLog(context, nodeFiles, { extension: silentLogger } as unknown as Logs, {
        log: async () => {},
      });
    });
    assert.ok(first && later);
    await first.write(call);
    await later.write({ kind: 'callResumed', id: '1', time: call.time, session: later.session });
    assert.equal((await first.read()).records.length, 2);
    const [session] = logSessions((await later.read()).records);
    const [entry] = session?.entries ?? [];
    assert.equal(entry?.kind === 'call' && entry.followedBy, later.session);
  });

  it('tells of what another window writes, also where nothing was written before', async () => {
    const home = join(folder, 'not', 'there', 'yet');
    const [one, other] = [open(home), open(home)];
    let told = 0;
    const watching = other.watch(() => (told += 1));
    try {
      // Changes are not reported until the editor watches the folder.
      await poll('news of the other window', 20_000, async () => {
        await one.write(call);
        return told > 0 || undefined;
      });
    } finally {
      watching.dispose();
    }
  });

  it('tells windows apart, which the editor may not', () => {
    const sessions = [open(), open()].map(({ session }) => session);
    assert.equal(new Set([...sessions, vscode.env.sessionId]).size, 3);
    for (const session of sessions) assert.match(session, /^[0-9a-f-]{36}$/);
  });

  it('keeps the latest records where a browser stores them, whichever window wrote them', async () => {
    const [one, other] = [0, 1].map(() => openRecords(vscode.Uri.file(folder), 3));
    assert.ok(one && other);
    assert.deepEqual(await one.read(), { values: [], broken: 0 });
    for (let count = 0; count < 4; count += 1) await (count % 2 ? one : other).append({ count });
    await writeFile(join(folder, '0.json'), 'broken');
    const values = [1, 2, 3].map((count) => ({ count }));
    assert.deepEqual(await other.read(), { values, broken: 1 });
  });
});
