import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { exchangesOf } from '../../../src/calls/recording/exchanges';
import { parseRecording } from '../../../src/calls/recording/recording';
import type { WorkbenchApi } from '../../../src/api';
import type { TrafficEntry } from '../../../src/mcp/traffic/trafficEntry';
import { TrafficRecorder } from '../../../src/mcp/traffic/trafficRecorder';
import { trafficItem } from '../../../src/traffic/trafficRow';
import { Command } from '../../../src/ui/ids';
import { fakeServer } from '../../support/fakes/fakeServer';
import { activateWorkbench, folderNamed, until } from '../../support/host/hostApi';
import { typeFilter } from '../../support/host/typeFilter';
import { watchExports } from '../../support/host/watchExports';
import { setSetting } from '../../support/host/toolsSteps';

const { executeCommand } = vscode.commands;
const { showQuickPick, showSaveDialog } = vscode.window;

/** A server in plain Node that writes a line to stderr and answers only the requests of a start. */
const source = `
console.error('password=hunter22 is wrong');
const answers = {
  initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'a', version: '1' } }),
  'tools/list': () => ({ tools: [{ name: 'tool', inputSchema: { type: 'object' } }] }),
};
require('node:readline').createInterface({ input: process.stdin }).on('line', (text) => {
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return;
  const body = answers[method] ? { result: answers[method](params) } : { error: { code: -32601, message: 'no ' + method } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...body }));
});
`;

interface Line {
  readonly kind: string;
  readonly method?: string;
  readonly message: unknown;
  readonly answer?: object;
}

describe('the traffic of a server in the editor', function () {
  this.timeout(60_000);
  const id = 'observed';
  let api: WorkbenchApi;
  let folder = '';
  let script: vscode.Uri;

  const exported = async (): Promise<readonly Line[]> => {
    const file = join(folder, 'traffic.jsonl');
    vscode.window.showSaveDialog = () => Promise.resolve(vscode.Uri.file(file));
    await executeCommand('mcpWorkbench.exportTraffic');
    const lines = (await readFile(file, 'utf8')).split('\n').filter(Boolean);
    return lines.map((line) => JSON.parse(line) as Line);
  };
  const filter = (text: string) => typeFilter('Traffic', text);

  before(async () => {
    api = await activateWorkbench();
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-traffic-'));
    script = vscode.Uri.joinPath(folderNamed('app'), 'observed', 'main.cjs');
    await vscode.workspace.fs.writeFile(script, new TextEncoder().encode(source));
    await setSetting('servers', { [id]: { command: 'node', args: [script.fsPath] } });
    await until(api.onDidChangeServers, () => api.servers.some((one) => one.id === id));
    await api.startServer(id);
    await executeCommand('mcpWorkbench.showTraffic', id);
  });
  after(async () => {
    Object.assign(vscode.window, { showSaveDialog });
    await setSetting('servers', undefined);
    await executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(script, '..'), { recursive: true });
    await rm(folder, { recursive: true, force: true });
  });

  it('is there from before anybody looked, and is saved as lines of JSON', async () => {
    const lines = await exported();
    const methods = lines.map(({ method, kind }) => method ?? kind);
    for (const one of ['initialize', 'notifications/initialized', 'tools/list', 'stderr'])
      assert.ok(methods.includes(one), `${one} among ${methods.join()}`);
    const initialize = lines.find(({ method }) => method === 'initialize');
    assert.ok(initialize?.answer);
    const printed = lines.find(({ kind }) => kind === 'stderr');
    assert.equal(printed?.message, 'password=‹redacted› is wrong');
  });

  it('is saved as a recording that has the answers', async () => {
    const file = join(folder, 'a.mcp-recording.jsonc');
    vscode.window.showSaveDialog = () => Promise.resolve(vscode.Uri.file(file));
    await executeCommand('mcpWorkbench.saveRecording');
    const found = exchangesOf(parseRecording(await readFile(file, 'utf8')));
    const initialized = found.find(({ method }) => method === 'initialize');
    assert.ok(initialized?.answer?.['result']);
  });

  it('is served from its recording, in the list beside the server, until that is stopped', async () => {
    const file = vscode.Uri.file(join(folder, 'a.mcp-recording.jsonc'));
    const name = 'observed (recording)';
    const served = () => api.servers.find((one) => one.name === name);
    const before = vscode.workspace.getConfiguration().inspect('mcpWorkbench.servers');
    await executeCommand('mcpWorkbench.serveRecording', file);
    await until(api.onDidChangeServers, () => served()?.state === 'running');
    assert.deepEqual(
      served()?.tools.map((one) => one.name),
      ['tool'],
    );
    assert.deepEqual(vscode.workspace.getConfiguration().inspect('mcpWorkbench.servers'), before);
    // Again, it is the same one.
    await executeCommand('mcpWorkbench.serveRecording', file);
    assert.equal(api.servers.filter((one) => one.name === name).length, 1);
    await executeCommand('mcpWorkbench.removeServer', served()?.id);
    await until(api.onDidChangeServers, () => served() === undefined);
  });

  it('is not served from what is no recording, and nothing is listed', async () => {
    const file = vscode.Uri.file(join(folder, 'broken.mcp-recording.jsonc'));
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode('{}'));
    const known = api.servers.map(({ id: one }) => one);
    const { showErrorMessage } = vscode.window;
    const told: string[] = [];
    vscode.window.showErrorMessage = (message: string) => {
      told.push(message);
      return Promise.resolve(undefined);
    };
    try {
      await executeCommand('mcpWorkbench.serveRecording', file);
    } finally {
      Object.assign(vscode.window, { showErrorMessage });
    }
    assert.deepEqual(told, [
      'broken.mcp-recording.jsonc cannot be served: It is not a recording: "recording" must be 1.',
    ]);
    assert.deepEqual(
      api.servers.map(({ id: one }) => one),
      known,
    );
  });

  it('is only what holds the words of the filter', async () => {
    await filter('tools/list tool');
    const methods = (await exported()).map(({ method }) => method);
    assert.deepEqual([...new Set(methods)], ['tools/list']);
    await filter('nothing has this');
    assert.deepEqual(await exported(), []);
    await filter('');
    assert.ok((await exported()).length > 2);
  });

  it('is exported into a file that is offered, and says so', async () => {
    await filter('tools/list tool');
    const exports = watchExports(join(folder, 'saved.jsonl'));
    try {
      await executeCommand('mcpWorkbench.exportTraffic');
      const [first] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(first);
      const offered = vscode.Uri.joinPath(first.uri, 'observed-traffic.jsonl');
      assert.deepEqual(exports.asked, [offered.toString()]);
      assert.deepEqual(exports.told, ['Saved 1 message to saved.jsonl. [Open]']);
    } finally {
      exports.dispose();
      await filter('');
    }
  });

  it('is recorded with what begins a session, without which nothing answers', async () => {
    await filter('tools/list tool');
    const file = join(folder, 'b.mcp-recording.jsonc');
    vscode.window.showSaveDialog = () => Promise.resolve(vscode.Uri.file(file));
    await executeCommand('mcpWorkbench.saveRecording');
    await filter('');
    const found = exchangesOf(parseRecording(await readFile(file, 'utf8')));
    const methods = new Set(found.map(({ method }) => method));
    assert.deepEqual([...methods].toSorted(), ['initialize', 'tools/list']);
  });

  it('is without what was there when it was cleared', async () => {
    await executeCommand('mcpWorkbench.clearTraffic');
    assert.deepEqual(await exported(), []);
  });

  it('outlives a change of the configuration', async () => {
    const timeouts = { request: 50 };
    const states: string[] = [];
    const restarted = until(api.onDidChangeServers, () => {
      const state = api.servers.find((one) => one.id === id)?.state ?? '';
      if (states.at(-1) !== state) states.push(state);
      return states.includes('starting') && state === 'running';
    });
    await setSetting('servers', {
      [id]: { command: 'node', args: [script.fsPath], timeouts },
    });
    await restarted;
    const methods = (await exported()).map(({ method }) => method);
    assert.ok(methods.includes('tools/list'));
    assert.equal(methods.filter((method) => method === 'initialize').length, 1);
  });

  it('opens as JSON, one row at a time', async () => {
    const recorder = new TrafficRecorder((text) => text);
    recorder.note('sent', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    recorder.note('received', { jsonrpc: '2.0', id: 1, result: { tools: [] } });
    const [traffic] = recorder.entries;
    await executeCommand('mcpWorkbench.showTrafficEntry', { traffic, server: fakeServer() });
    const named = () => vscode.window.activeTextEditor?.document.uri.path === '/tools_list.json';
    await until(vscode.window.onDidChangeActiveTextEditor, named);
    const text = vscode.window.activeTextEditor?.document.getText() ?? '';
    const shown = JSON.parse(text) as Record<string, unknown>;
    assert.deepEqual(shown['response'], { jsonrpc: '2.0', id: 1, result: { tools: [] } });
  });

  it('leads from a page of a list to the next one, and from the last one nowhere', async () => {
    const asked: unknown[] = [];
    const sendRequest = (...request: unknown[]) => {
      asked.push(request.slice(0, 2));
      return Promise.resolve({});
    };
    const lensesOf = async (nextCursor: string) => {
      const recorder = new TrafficRecorder((text) => text);
      recorder.note('sent', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: {} } });
      recorder.note('received', { jsonrpc: '2.0', id: 1, result: { tools: [], nextCursor } });
      const [traffic] = recorder.entries;
      const server = Object.assign(fakeServer({ id: `paged${nextCursor}` }), { sendRequest });
      const opened = until(vscode.window.onDidChangeActiveTextEditor, () => true);
      await executeCommand('mcpWorkbench.showTrafficEntry', { traffic, server });
      await opened;
      return executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        vscode.window.activeTextEditor?.document.uri,
      );
    };
    assert.deepEqual(await lensesOf(''), []);
    const [next, ...others] = await lensesOf('p=2');
    assert.deepEqual([next?.command?.title, others.length], ['$(arrow-right) Next Page', 0]);
    await executeCommand(next?.command?.command ?? '', ...(next?.command?.arguments ?? []));
    assert.deepEqual(asked, [['tools/list', { cursor: 'p=2' }]]);
  });

  it('is copied whole by the button of its row, with what is hidden as escapes', async () => {
    const recorder = new TrafficRecorder((text) => text);
    const request = { jsonrpc: '2.0', id: 1, method: 'ping', params: { note: 'a\u200Bb' } };
    const response = { jsonrpc: '2.0', id: 1, result: { isHere: true } };
    recorder.note('sent', request);
    recorder.note('received', response);
    const [traffic] = recorder.entries;
    await executeCommand('mcpWorkbench.copyTrafficEntry', { traffic, server: fakeServer() });
    const copied = await vscode.env.clipboard.readText();
    assert.match(copied, /"note": "a\\u200bb"/);
    const read = JSON.parse(copied) as Record<string, unknown>;
    assert.deepEqual([read['request'], read['response']], [request, response]);
  });

  it('is copied as a command for a shell, where the server is at a URL', async () => {
    const recorder = new TrafficRecorder((text) => text);
    recorder.note('sent', { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const [traffic] = recorder.entries;
    const config = { type: 'http', url: 'https://a.example/mcp', headers: {} } as const;
    const { definition, state } = fakeServer();
    const server = { definition: { ...definition, config }, state, isSignedIn: false };
    await executeCommand('mcpWorkbench.copyAsCurl', { traffic, server });
    const copied = await vscode.env.clipboard.readText();
    assert.match(copied, /^session=\$\(curl -sS .* -X POST 'https:\/\/a\.example\/mcp'\s/);
    assert.match(copied, /"method":"tools\/list"/);
  });

  it('is no way to a server that was taken out', async () => {
    await setSetting('servers', undefined);
    await until(api.onDidChangeServers, () => api.servers.every((one) => one.id !== id));
    let asked = '';
    const choose = (_rows: unknown, { title = '' }: vscode.QuickPickOptions) => {
      asked = title;
      return Promise.resolve(undefined);
    };
    Object.assign(vscode.window, { showQuickPick: choose });
    for (const row of [undefined, { server: fakeServer({ id }) }]) {
      asked = '';
      await executeCommand('mcpWorkbench.sendRequest', row);
      assert.equal(asked, 'Send Request');
    }
    Object.assign(vscode.window, { showQuickPick });
  });
});

describe('a row of the traffic', () => {
  const entryOf = (direction: 'sent' | 'received', message: unknown): TrafficEntry => {
    const recorder = new TrafficRecorder((text) => text);
    recorder.note(direction, message);
    const [entry] = recorder.entries;
    assert.ok(entry);
    return entry;
  };
  const item = (traffic: TrafficEntry, isPinned = false) =>
    trafficItem({ traffic, server: fakeServer() }, isPinned, (text) => text);

  it('says what was sent, what it is about and how it ended', () => {
    const params = { name: 'greet', arguments: {} };
    const entry = entryOf('sent', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const { label, description, contextValue, accessibilityInformation } = item(entry);
    assert.equal(label, '→ tools/call');
    assert.match(String(description), /^greet · \d\d:\d\d:\d\d\.\d{3} · \d+ B · no answer yet$/);
    assert.equal(contextValue, 'traffic.sent.request.call');
    assert.match(accessibilityInformation?.label ?? '', /^Sent → tools\/call, greet/);
    assert.equal(item(entry, true).contextValue, 'traffic.sent.request.call.pinned');
  });

  it('has no arguments of its command forgotten while it is drawn anew', () => {
    const { id, command } = item(entryOf('sent', { jsonrpc: '2.0', id: 1, method: 'ping' }));
    assert.ok(id);
    assert.deepEqual([command?.command, command?.arguments], [Command.showTrafficEntry, undefined]);
  });

  it('shows a server’s text as text', () => {
    const method = '$(bug) \u202E[a](command:b)\nnext';
    const params = { message: '$(bug)\u200B\u0007' };
    const { label, description } = item(entryOf('received', { jsonrpc: '2.0', method, params }));
    assert.equal(label, '← $\u2060(bug) ⟨U+202E⟩[a]\u2060(command:b) next');
    assert.match(String(description), /^\$\u2060\(bug\)⟨U\+200B⟩⟨U\+0007⟩ · /);
  });
});
