import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { fakeServer } from '../../support/fakes/fakeServer';
import { activateWorkbench, folderNamed, until } from '../../support/host/hostApi';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';
import { setSetting } from '../../support/host/toolsSteps';

/** A server with one set of resources that exist, and all others that do not. */
const source = `
const read = ({ uri }) => uri.startsWith('there:')
  ? { result: { contents: [{ uri, mimeType: 'text/plain', text: uri }] } }
  : { error: { code: -32002, message: 'not found' } };
const answers = {
  initialize: () => ({ result: { protocolVersion: '2025-06-18', capabilities: { resources: {} }, serverInfo: { name: 'x', version: '1' } } }),
  'resources/list': () => ({ result: { resources: [] } }),
  'resources/read': read,
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(answers[method]?.(params) ?? { result: {} }) }));
});`;

const { executeCommand } = vscode.commands;
const { tabGroups } = vscode.window;
const shown = () => vscode.window.visibleTextEditors.map(({ document }) => document.getText());

describe('what a template gives while the form of another waits', function () {
  this.timeout(60_000);
  const serverId = 'forms';
  const picture = vscode.Uri.joinPath(folderNamed('app'), 'template.png');
  let api: WorkbenchApi;
  let picks: WatchedPicks;

  const ask = async (name: string) => {
    const template = { name, uriTemplate: `${name}:{id}` };
    const row = { id: name, parent: {}, server: fakeServer({ id: serverId }), template };
    const opened = executeCommand('mcpWorkbench.openResourceTemplate', row);
    return { opened, form: await picks.next(new RegExp(`^${name} .*: id$`)) };
  };

  before(async () => {
    api = await activateWorkbench();
    await vscode.workspace.fs.writeFile(picture, new Uint8Array());
    await setSetting('servers', { [serverId]: { command: 'node', args: ['-e', source] } });
    await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === serverId));
    await api.startServer(serverId);
  });
  beforeEach(async () => {
    await executeCommand('workbench.action.closeAllEditors');
    picks = watchPicks();
  });
  afterEach(() => {
    for (const form of picks.open) form.escape();
    picks.dispose();
  });
  after(async () => {
    await executeCommand('workbench.action.closeAllEditors');
    await setSetting('servers', undefined);
    await vscode.workspace.fs.delete(picture);
  });

  for (const [what, show] of [
    ['a picture', () => executeCommand('vscode.open', picture)],
    [
      'a text that was not typed in since',
      async () => {
        const document = await vscode.workspace.openTextDocument({ content: '' });
        await vscode.window.showTextDocument(document);
      },
    ],
  ] as const)
    it(`opens where ${what} is shown, and leaves the keyboard to the form`, async () => {
      await show();
      const gone = await ask('gone');
      await gone.form.enter('1');
      const waiting = await picks.next(/^gone .*: id$/);
      const there = await ask('there');
      const isBack = waiting.whenShown();
      await there.form.enter('1');
      await isBack;
      await there.opened;
      await poll('the result in an editor', 20_000, () =>
        Promise.resolve(shown().includes('there:1') || undefined),
      );
      assert.equal(tabGroups.all.length, 1);
      assert.equal(waiting.isOpen, true);
      waiting.escape();
      await gone.opened;
    });
});
