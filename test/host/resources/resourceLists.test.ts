import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { listen } from '../../fixtures/demoServer/http';
import { parseOptions } from '../../fixtures/demoServer/options';
import { DemoState, noteUri } from '../../fixtures/demoServer/state';
import { activateWorkbench, serverNamed, until } from '../../support/host/hostApi';

const setting = 'mcpWorkbench.servers';
const pageSize = 3;
const names = Array.from({ length: 30 }, (_, i) => `note ${i}`);

describe('a list of resources that changes while it is read', function () {
  this.timeout(60_000);
  const state = new DemoState();
  let api: WorkbenchApi;

  before(async () => {
    api = await activateWorkbench();
    const url = await listen(parseOptions(['--http', '0', '--page-size', String(pageSize)]), state);
    await vscode.workspace
      .getConfiguration()
      .update(setting, { paged: { type: 'http', url } }, vscode.ConfigurationTarget.Global);
    await until(api.onDidChangeServers, () => api.servers.some(({ name }) => name === 'paged'));
  });

  afterEach(() => state.removeAllListeners('received'));

  after(async () => {
    const { Global } = vscode.ConfigurationTarget;
    await vscode.workspace.getConfiguration().update(setting, undefined, Global);
    await until(api.onDidChangeServers, () => api.servers.every(({ name }) => name !== 'paged'));
  });

  /** Takes one step whenever another page is requested. */
  const onPage = (steps: Iterator<unknown>) =>
    state.on('received', (message) => {
      const { method, params } = message as { method?: string; params?: { cursor?: string } };
      if (method === 'resources/list' && params?.cursor !== undefined) steps.next();
    });

  const listed = () => serverNamed(api, 'paged').resources.map(({ uri }) => uri);
  const notes = () => listed().filter((uri) => uri.startsWith('demo://notes/'));

  it('ends as the newest one when it grows', async () => {
    onPage(
      (function* () {
        for (const name of names) yield state.writeNote(name, 'x');
      })(),
    );
    assert.deepEqual(await api.startServer(serverNamed(api, 'paged').id), [{ kind: 'running' }]);
    await until(api.onDidChangeServers, () => notes().length === names.length);
    assert.deepEqual(notes(), names.map(noteUri));
  });

  it('ends as the newest one when it shrinks below what was asked for', async () => {
    const others = listed().filter((uri) => !notes().includes(uri));
    let pages = 0;
    onPage(
      (function* () {
        while (others.length > pageSize * pages) yield (pages += 1);
        for (const name of names) state.deleteNote(name);
      })(),
    );
    state.writeNote('last', 'x');
    await until(api.onDidChangeServers, () => notes().join() === noteUri('last'));
    assert.deepEqual(listed(), [...others, noteUri('last')]);
  });
});
