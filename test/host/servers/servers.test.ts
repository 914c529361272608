import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { activateWorkbench, processesWith, serverNamed } from '../../support/host/hostApi';
import { watchPicks } from '../../support/host/shownPicks';

/**
 * Matches the process of the server `demo` only: other tests run the same program with arguments. The editor's own
 * client, which reads the same file, starts processes of its own as soon as the chat is used, so tests count which of
 * these came and went.
 */
const demoProcess = /^\S*node \S*demoServer\/main\.js$/;

const everythingProcess = 'server-everything';

describe('servers', function () {
  this.timeout(60_000);
  let api: WorkbenchApi;

  before(async () => {
    api = await activateWorkbench();
    await api.startServer('*');
  });

  it('are all running with their lists when the start of all ends', () => {
    assert.deepEqual(
      api.servers.map(({ id, name, state }) => ({ id, name, state })),
      ['demo', 'everything', 'filesystem'].map((name) => ({ id: name, name, state: 'running' })),
    );
    for (const name of ['demo', 'everything']) {
      const { tools, prompts, resources } = serverNamed(api, name);
      assert.ok(tools.length > 0 && prompts.length > 0 && resources.length > 0, name);
    }
    assert.ok(serverNamed(api, 'filesystem').tools.some(({ name }) => name === 'read_text_file'));
  });

  it('end with their process when they are stopped, and start by the command', async () => {
    const before = await processesWith(demoProcess);
    await vscode.commands.executeCommand('mcpWorkbench.stopServer', 'demo');
    assert.equal(serverNamed(api, 'demo').state, 'stopped');
    const left = await processesWith(demoProcess);
    assert.equal(before.filter((pid) => !left.includes(pid)).length, 1);
    const outcomes = await vscode.commands.executeCommand('mcpWorkbench.startServer', 'demo');
    assert.deepEqual(outcomes, [{ kind: 'running' }]);
    const after = await processesWith(demoProcess);
    assert.equal(after.filter((pid) => !before.includes(pid)).length, 1);
  });

  it('keep their lists while they are stopped', async () => {
    const before = serverNamed(api, 'demo').tools.length;
    await vscode.commands.executeCommand('mcpWorkbench.stopServer', 'demo');
    assert.equal(serverNamed(api, 'demo').tools.length, before);
    await vscode.commands.executeCommand('mcpWorkbench.startServer', 'demo');
  });

  it('stay stopped after a stop by hand, even when something of theirs is used or another extension wants them', async () => {
    await vscode.commands.executeCommand('mcpWorkbench.stopServer', 'demo');
    const uri = vscode.Uri.parse('mcp-workbench://demo/note:abc');
    await assert.rejects(async () => vscode.workspace.fs.readFile(uri));
    const [outcome] = await api.startServer('demo');
    assert.equal(outcome?.kind, 'refused');
    assert.equal(serverNamed(api, 'demo').state, 'stopped');
    await vscode.commands.executeCommand('mcpWorkbench.startServer', 'demo');
  });

  it('get another process when they are restarted, while the others keep theirs', async () => {
    const before = await processesWith(demoProcess);
    const others = await processesWith(everythingProcess);
    assert.deepEqual(await vscode.commands.executeCommand('mcpWorkbench.restartServer', 'demo'), [
      { kind: 'running' },
    ]);
    const after = await processesWith(demoProcess);
    assert.equal(before.filter((pid) => !after.includes(pid)).length, 1);
    assert.equal(after.length, before.length);
    const othersAfter = await processesWith(everythingProcess);
    assert.deepEqual(
      others.filter((pid) => !othersAfter.includes(pid)),
      [],
    );
  });

  it('stop, start and restart as many as are selected, and leave those alone that only have a row below them selected', async () => {
    const { executeCommand } = vscode.commands;
    const row = (id: string) => ({ id, parent: undefined, server: { id }, isServer: true });
    const clicked = row('demo');
    const below = { id: 'filesystem', parent: clicked, server: { id: 'filesystem' } };
    const selection = [clicked, row('everything'), below];
    const states = () => api.servers.map(({ state }) => state);
    await executeCommand('mcpWorkbench.stopServer', clicked, selection);
    assert.deepEqual(states(), ['stopped', 'stopped', 'running']);
    await executeCommand('mcpWorkbench.startServer', clicked, selection);
    assert.deepEqual(states(), ['running', 'running', 'running']);
    const before = await processesWith(everythingProcess);
    await executeCommand('mcpWorkbench.restartServer', clicked, selection);
    assert.deepEqual(states(), ['running', 'running', 'running']);
    const after = await processesWith(everythingProcess);
    assert.equal(before.filter((pid) => !after.includes(pid)).length, 1);
    assert.equal(after.filter((pid) => !before.includes(pid)).length, 1);
    await executeCommand('mcpWorkbench.stopServer', below, [clicked, below]);
    assert.deepEqual(states(), ['stopped', 'running', 'running']);
    await executeCommand('mcpWorkbench.startServer', below, [clicked, below]);
    assert.deepEqual(states(), ['running', 'running', 'running']);
    // What is not part of the selection is meant alone.
    await executeCommand('mcpWorkbench.stopServer', 'demo', selection);
    assert.deepEqual(states(), ['stopped', 'running', 'running']);
  });

  it('all start by one command', async () => {
    await vscode.commands.executeCommand('mcpWorkbench.stopServer', 'demo');
    await vscode.commands.executeCommand('mcpWorkbench.startAllServers');
    assert.deepEqual(
      api.servers.map(({ state }) => state),
      ['running', 'running', 'running'],
    );
  });

  it('are disabled and enabled as many as are selected', async () => {
    const { executeCommand } = vscode.commands;
    const row = (id: string) => ({ id, parent: undefined, server: { id }, isServer: true });
    const clicked = row('demo');
    const { showQuickPick } = vscode.window;
    const titles: unknown[] = [];
    const chooseHere = async (
      rows: readonly vscode.QuickPickItem[],
      { title }: vscode.QuickPickOptions,
    ) => {
      titles.push(title);
      return rows.find(({ label }) => label === 'In This Workspace');
    };
    Object.assign(vscode.window, { showQuickPick: chooseHere });
    try {
      await executeCommand('mcpWorkbench.disableServer', clicked, [clicked, row('everything')]);
      assert.deepEqual(titles, ['Disable demo, everything']);
      assert.deepEqual(
        api.servers.map(({ id }) => id),
        ['filesystem'],
      );
    } finally {
      Object.assign(vscode.window, { showQuickPick });
      for (const id of ['demo', 'everything'])
        await executeCommand('mcpWorkbench.enableServer', id);
      await api.startServer('*');
    }
  });

  it('are diagnosed in a document that wraps its lines', async () => {
    // A diagnosis that takes long is shown beside what the user works in.
    const diagnosed = () =>
      vscode.window.visibleTextEditors
        .map(({ document }) => document)
        .find((document) => document.getText().startsWith('Diagnosis of demo\n'));
    for (let times = 0; times < 2; times += 1) {
      await vscode.commands.executeCommand('mcpWorkbench.diagnoseServer', 'demo');
      const document = diagnosed();
      assert.ok(document);
      assert.equal(vscode.workspace.getConfiguration('editor', document).get('wordWrap'), 'on');
    }
  });

  it('are diagnosed without the keyboard of who fills in a form meanwhile', async () => {
    const { showTextDocument } = vscode.window;
    const shown: (boolean | undefined)[] = [];
    const show = (document: vscode.TextDocument, options?: vscode.TextDocumentShowOptions) => {
      shown.push(options?.preserveFocus ?? false);
      return showTextDocument(document, options);
    };
    Object.assign(vscode.window, { showTextDocument: show });
    const picks = watchPicks();
    try {
      await vscode.commands.executeCommand('mcpWorkbench.diagnoseServer', 'demo');
      const adding = vscode.commands.executeCommand('mcpWorkbench.addServer');
      const form = await picks.next(/Add Server/);
      await vscode.commands.executeCommand('mcpWorkbench.diagnoseServer', 'demo');
      assert.deepEqual(shown, [false, true]);
      form.escape();
      await adding;
    } finally {
      picks.dispose();
      Object.assign(vscode.window, { showTextDocument });
    }
  });

  it('are not found by an id that none has', () =>
    assert.rejects(api.startServer('none'), { name: 'UserError', message: /none/ }));

  it('announce every change of their state', async () => {
    const seen: string[] = ['running'];
    const subscription = api.onDidChangeServers(() => {
      const { state } = serverNamed(api, 'demo');
      if (seen.at(-1) !== state) seen.push(state);
    });
    await vscode.commands.executeCommand('mcpWorkbench.restartServer', 'demo');
    subscription.dispose();
    assert.deepEqual(seen, ['running', 'stopped', 'starting', 'running']);
  });
});
