import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { AuditRecord, RequestAnswered } from '../../../src/audit/auditLog';
import { activateWorkbench, serverNamed } from '../../support/host/hostApi';
import { poll } from '../../support/poll';
import { eras, useAskingServers } from './askingServers';

const unanswered = {
  code: -32603,
  message: 'The request was withdrawn before the user decided: it was cancelled.',
};

describe('the log of what servers ask', function () {
  this.timeout(60_000);
  const asks = useAskingServers();
  const { showSaveDialog } = vscode.window;
  let directory = '';

  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'mcp-workbench-audit-'));
  });
  after(() => rm(directory, { recursive: true, force: true }));

  /** Returns a server's latest question in the audit log. */
  const latest = async (server: string): Promise<RequestAnswered> => {
    const file = join(directory, 'audit.jsonl');
    vscode.window.showSaveDialog = () => Promise.resolve(vscode.Uri.file(file));
    try {
      await vscode.commands.executeCommand('mcpWorkbench.exportToolLog');
    } finally {
      vscode.window.showSaveDialog = showSaveDialog;
    }
    const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
    const found = lines
      .map((line) => JSON.parse(line) as AuditRecord)
      .findLast((record) => record.kind === 'requestAnswered' && record.server.name === server);
    assert.ok(found?.kind === 'requestAnswered');
    return found;
  };

  for (const era of eras) {
    const name = asks.nameOf(era);

    it(`has what was asked and what was answered (${era})`, async () => {
      const asked = asks.call(era, 'ask_url');
      (await asks.picks.next(new RegExp(`^${name} asks`))).choose('Decline');
      await asked.text;
      const { method, action, question, answer, decidedBy } = await latest(name);
      assert.deepEqual([method, action], ['elicitation/create', 'decline']);
      assert.deepEqual(decidedBy, { kind: 'user', how: 'click' });
      assert.match(JSON.stringify(question), /https:\/\/example\.com\/connect/);
      assert.deepEqual(answer, { value: { action: 'decline' } });
    });

    it(`has what was refused, too (${era})`, async () => {
      const asked = asks.call(era, era === '2025' ? 'ask_sampling' : 'ask_model');
      (await asks.picks.next(new RegExp(`^${name} asks`))).choose('Not Now');
      await asked.text;
      const { method, action, question, decidedBy } = await latest(name);
      assert.deepEqual([method, action], ['sampling/createMessage', 'refused']);
      assert.deepEqual(decidedBy, { kind: 'user', how: 'click' });
      assert.match(JSON.stringify(question), /当前目录下有哪些文件？/);
    });
  }

  for (const [how, tool, method, told] of [
    ['a request to a model', 'ask_sampling', 'sampling/createMessage', { error: unanswered }],
    ['a form', 'ask_elicitation', 'elicitation/create', { result: { action: 'cancel' } }],
  ] as const)
    it(`says that nobody decided on ${how} that was cancelled while it was asked`, async () => {
      const name = asks.nameOf('2025');
      const asked = asks.call('2025', tool);
      const shown = await asks.picks.next(new RegExp(`^${name} asks`));
      asked.cancel();
      await shown.closed();
      const found = await poll('the record', 20_000, async () => {
        const last = await latest(name).catch(() => undefined);
        return last?.method === method && last.decidedBy?.kind === 'nobody' ? last : undefined;
      });
      assert.equal(found.action, 'withdrawn');
      assert.deepEqual(found.decidedBy, { kind: 'nobody', because: 'cancelled' });
      // There is no answer if the server withdrew its question first.
      const answers = await asks.answers('2025');
      assert.deepEqual(answers, answers.length > 0 ? [told] : []);
    });

  for (const [how, tool, command] of [
    ['a form of a server that dies', 'ask_elicitation', undefined],
    ['a form of a server that is stopped', 'ask_elicitation', 'mcpWorkbench.stopServer'],
    ['a visit of a server that is started again', 'ask_url', 'mcpWorkbench.restartServer'],
    ['a review of a server that is stopped', 'ask_sampling', 'mcpWorkbench.stopServer'],
  ] as const)
    it(`says that nobody decided on ${how}, as it stopped`, async () => {
      const name = asks.nameOf('2025');
      const api = await activateWorkbench();
      const { id } = serverNamed(api, name);
      const before = await latest(name).catch(() => undefined);
      const asked = asks.call('2025', tool);
      const shown = await asks.picks.next(new RegExp(`^${name} asks`));
      if (tool === 'ask_sampling') {
        shown.choose('Review This Request');
        await asks.document();
      }
      // It dies only now, as a busy machine may take longer to show the form than any fixed time.
      if (command) await vscode.commands.executeCommand(command, id);
      else await asks.call('2025', 'crash').text;
      await shown.closed();
      await asks.noDocument();
      await asked.text;
      const found = await poll('the record', 20_000, async () => {
        const last = await latest(name).catch(() => undefined);
        return last?.id === before?.id ? undefined : last;
      });
      if (command) await vscode.commands.executeCommand('mcpWorkbench.startServer', id);
      assert.equal(found.action, 'withdrawn');
      assert.deepEqual(found.decidedBy, { kind: 'nobody', because: 'serverStopped' });
    });

  /** Returns the level that the server of each era was last told. */
  const level = async () => {
    const key = 'io.modelcontextprotocol/logLevel';
    await asks.call('2026', 'echo').text;
    const last = (await asks.said('2026', 'client')).at(-1)?.['params'];
    const modern = Object(Object(last)['_meta'])[key] as unknown;
    const legacy = (await asks.said('2025', 'client'))
      .filter(({ method }) => method === 'logging/setLevel')
      .map(({ params }) => Object(params)['level'] as unknown)
      .at(-1);
    return [legacy, modern];
  };

  it('is at the level of the channel: the server is told each time that it changes', async () => {
    // No API changes the log level; these commands exist for the editor's own tests.
    const before = await vscode.commands.executeCommand('_extensionTests.getLogLevel');
    try {
      for (const wanted of ['debug', 'error', 'warning']) {
        const name = wanted === 'warning' ? 'warn' : wanted;
        await vscode.commands.executeCommand('_extensionTests.setLogLevel', name);
        await poll(`the level ${wanted} on both wires`, 20_000, async () => {
          const told = await level();
          return told.every((each) => each === wanted) || undefined;
        });
      }
    } finally {
      await vscode.commands.executeCommand('_extensionTests.setLogLevel', before);
    }
  });

  it('is at the level that the user chose for a server, in place of that, until they take it back', async () => {
    const api = await activateWorkbench();
    const { showQuickPick } = vscode.window;
    const choose = async (wanted: string) => {
      Object.assign(vscode.window, {
        showQuickPick: async (rows: readonly vscode.QuickPickItem[]) =>
          rows.find(({ label }) => label === wanted),
      });
      for (const era of eras)
        await vscode.commands.executeCommand(
          'mcpWorkbench.setLogLevel',
          serverNamed(api, asks.nameOf(era)).id,
        );
    };
    try {
      await choose('critical');
      assert.deepEqual(await level(), ['critical', 'critical']);
      await choose('As Its Log Shows');
      const [legacy, modern] = await level();
      assert.equal(legacy, modern);
      assert.notEqual(legacy, 'critical');
    } finally {
      Object.assign(vscode.window, { showQuickPick });
    }
  });
});
