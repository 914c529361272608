import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { activateWorkbench, until } from '../../support/host/hostApi';
import { poll } from '../../support/poll';
import { invoke, setSetting } from '../../support/host/toolsSteps';

/** A server that answers all pending reads when its tool is called or, if there are none, the next one. */
const source = `
const waiting = [];
let isReleased = false;
const answerAll = () => {
  for (const { id, uri } of waiting.splice(0)) answer(id, { contents: [{ uri, text: uri }] });
};
const answer = (id, result) => console.log(JSON.stringify({ jsonrpc: '2.0', id, result }));
const answers = {
  initialize: () => ({ protocolVersion: '2025-06-18', capabilities: { resources: {}, tools: {} }, serverInfo: { name: 'x', version: '1' } }),
  'resources/list': () => ({ resources: ['late:one', 'late:two'].map((uri) => ({ uri, name: uri.slice(5) + '.txt' })) }),
  'tools/list': () => ({ tools: [{ name: 'release', inputSchema: { type: 'object' } }] }),
  'tools/call': () => {
    isReleased = waiting.length === 0;
    answerAll();
    return { content: [] };
  },
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (method === 'resources/read') {
    waiting.push({ id, uri: params.uri });
    if (isReleased) answerAll();
    isReleased = false;
  } else if (id !== undefined) answer(id, answers[method]?.() ?? {});
});`;

const { executeCommand } = vscode.commands;
const shown = () => vscode.window.visibleTextEditors.map(({ document }) => document.getText());

describe('a resource that its server is slow to give', function () {
  this.timeout(60_000);
  const serverId = 'late';
  let api: WorkbenchApi;

  const open = (uri: string) => executeCommand('mcpWorkbench.openResource', { serverId, uri });
  const release = () => invoke('callTool', { name: `${serverId}__release` });

  before(async () => {
    api = await activateWorkbench();
    await setSetting('servers', { [serverId]: { command: 'node', args: ['-e', source] } });
    await setSetting('tools.serverPolicy', { [serverId]: 'allow' });
    // Other tests may have used up the limit of calls per minute.
    await setSetting('tools.maxCallsPerMinute', 10_000);
    await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === serverId));
    await api.startServer(serverId);
  });
  beforeEach(() => executeCommand('workbench.action.closeAllEditors'));
  after(async () => {
    await executeCommand('workbench.action.closeAllEditors');
    await setSetting('servers', undefined);
    for (const key of ['tools.serverPolicy', 'tools.maxCallsPerMinute'])
      await setSetting(key, undefined);
  });

  it('leaves the keyboard to the editor in which the user has begun to type', async () => {
    const opening = open('late:one');
    const own = await vscode.workspace.openTextDocument({ content: '' });
    await vscode.window.showTextDocument(own);
    await executeCommand('type', { text: 'mine' });
    await release();
    await opening;
    await poll('the resource', 20_000, () =>
      Promise.resolve(shown().includes('late:one') || undefined),
    );
    await executeCommand('type', { text: ' alone' });
    assert.equal(own.getText(), 'mine alone');
    await executeCommand('undo');
    await executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('does not take the place of one that was opened since', async () => {
    const first = open('late:two');
    const second = open('late:one');
    await release();
    await Promise.all([first, second]);
    assert.deepEqual(shown(), ['late:one']);
  });
});
