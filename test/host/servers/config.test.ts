import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import {
  activateWorkbench,
  folderNamed,
  processesWith,
  serverNamed,
  until,
  untilProcesses,
  writeDocument,
} from '../../support/host/hostApi';

const filesystem = {
  command: 'node',
  args: [
    '${env:MCP_WORKBENCH_DEMO}/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js',
  ],
};
const demo = {
  command: 'node',
  args: ['${env:MCP_WORKBENCH_DEMO}/out/fixtures/demoServer/main.js'],
};

describe('the configuration', function () {
  this.timeout(60_000);
  let api: WorkbenchApi;
  let file: vscode.Uri;
  let original = '';

  const write = async (servers: Record<string, unknown>) => {
    await writeDocument(file, JSON.stringify({ servers }, undefined, 2));
    const names = Object.keys(servers);
    await until(api.onDidChangeServers, () =>
      names.every((name) => api.servers.some((server) => server.name === name)),
    );
  };
  const problemsOf = () => vscode.languages.getDiagnostics(file);
  const waitForProblems = (accept: (problems: vscode.Diagnostic[]) => boolean) =>
    until(vscode.languages.onDidChangeDiagnostics, () => accept(ours()));
  const ours = () => problemsOf().filter(({ source }) => source === 'MCP Workbench');

  before(async () => {
    api = await activateWorkbench();
    file = vscode.Uri.joinPath(folderNamed('docs'), '.vscode/mcp.json');
    original = (await vscode.workspace.openTextDocument(file)).getText();
    await api.startServer('*');
  });

  afterEach(async () => {
    await writeDocument(file, original);
    await until(
      api.onDidChangeServers,
      () => api.servers.map(({ name }) => name).join() === 'demo,everything,filesystem',
    );
    await waitForProblems((problems) => problems.length === 0);
    await api.startServer('*');
  });

  it('that is saved adds a server and leaves the others alone', async () => {
    // Those of earlier tests may still be about to end.
    await untilProcesses('server-filesystem', 1);
    const before = await processesWith('server-filesystem');
    await write({ filesystem, second: { ...demo, args: ['--trace-warnings', ...demo.args] } });
    assert.deepEqual(await api.startServer('second'), [{ kind: 'running' }]);
    assert.equal((await processesWith('--trace-warnings')).length, 1);
    assert.deepEqual(await processesWith('server-filesystem'), before);
  });

  it('that changes restarts a running server with it, and ends it when it is gone', async () => {
    await write({ filesystem, second: { ...demo, args: ['--trace-warnings', ...demo.args] } });
    await api.startServer('second');
    await write({ filesystem, second: { ...demo, args: ['--trace-deprecation', ...demo.args] } });
    await untilProcesses('--trace-deprecation', 1);
    await untilProcesses('--trace-warnings', 0);
    await writeDocument(file, JSON.stringify({ servers: { filesystem } }));
    await untilProcesses('--trace-deprecation', 0);
    assert.ok(!api.servers.some(({ id }) => id === 'second'));
  });

  for (const [title, server, message] of [
    ['an unknown command', { command: 'no-such-program' }, /no-such-program/],
    [
      'a program that exits at once',
      { command: 'node', args: ['-e', 'process.exit(3)'] },
      /code 3/,
    ],
    [
      'a program that prints something else',
      { command: 'node', args: ['-e', 'console.log("hello there"); process.exit(0)'] },
      /./,
    ],
    ['an address that refuses', { url: 'http://127.0.0.1:47999/mcp' }, /connection refused/],
    [
      'a variable without a value',
      { command: 'node', args: ['${env:NO_SUCH_VARIABLE}'] },
      /NO_SUCH_VARIABLE is not set/,
    ],
  ] as const)
    it(`with ${title} fails that server with a sentence while the others work on`, async () => {
      await write({ filesystem, bad: server });
      const [outcome] = await api.startServer('bad');
      assert.ok(outcome?.kind === 'failed', JSON.stringify(outcome));
      assert.match(outcome.message, message);
      assert.match(outcome.message, /^[A-Z"].*[.)!?]$/s, 'a whole sentence');
      assert.equal(serverNamed(api, 'bad').state, 'failed');
      assert.equal(serverNamed(api, 'filesystem').state, 'running');
      assert.equal(serverNamed(api, 'demo').state, 'running');
    });

  it('that is no JSON is marked at its line and takes no running server away', async () => {
    const before = await processesWith('server-filesystem');
    await writeDocument(file, '{\n  "servers": {\n    "a": {}\n    "b": {}\n  }\n}\n');
    await waitForProblems((problems) => problems.length > 0);
    const [problem] = ours();
    assert.equal(problem?.range.start.line, 3);
    assert.match(problem.message, /Line 4 is not valid JSON: a comma is missing/);
    assert.equal(serverNamed(api, 'filesystem').state, 'running');
    assert.deepEqual(await processesWith('server-filesystem'), before);
  });

  it('of an unknown type is marked at the name of the server', async () => {
    const text = '{\n  "servers": {\n    "odd": { "type": "websocket" }\n  }\n}\n';
    await writeDocument(file, text);
    await waitForProblems((problems) => problems.length > 0);
    const [problem] = ours();
    assert.deepEqual(
      problem?.range,
      new vscode.Range(new vscode.Position(2, 4), new vscode.Position(2, 9)),
    );
    assert.match(problem.message, /"websocket" is unknown/);
    await assert.rejects(api.startServer('odd'), {
      name: 'UserError',
      message: /odd cannot be used: .*"websocket" is unknown/,
    });
  });

  it('opens at the line of a server', async () => {
    await vscode.commands.executeCommand('mcpWorkbench.openConfiguration', 'filesystem');
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.toString(), file.toString());
    assert.equal(editor.document.getText(editor.selection), '"filesystem"');
  });

  it('offers above each server what can be done with it', async () => {
    await vscode.workspace.openTextDocument(file);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      file,
    );
    const own = lenses.filter(({ command }) => command?.command.startsWith('mcpWorkbench.'));
    assert.deepEqual(
      own.map(({ command }) => [command?.command, command?.arguments]),
      ['stopServer', 'restartServer', 'showServerLog'].map((name) => [
        `mcpWorkbench.${name}`,
        ['filesystem'],
      ]),
    );
    assert.ok(own.every(({ range }) => range.start.line === 2));
  });

  it('starts a server by itself, or only by hand, where the settings say so', async () => {
    const settings = vscode.workspace.getConfiguration('mcpWorkbench');
    const target = vscode.ConfigurationTarget.Workspace;
    const own = vscode.ConfigurationTarget.Global;
    await settings.update('autostartServers', { eager: 'always', shy: 'always' }, own);
    // A workspace only makes it stricter.
    await settings.update('autostartServers', { filesystem: 'always', shy: 'never' }, target);
    try {
      await write({
        filesystem,
        eager: { ...demo, args: ['--trace-warnings', ...demo.args] },
        shy: { ...demo, args: ['--trace-deprecation', ...demo.args] },
      });
      await until(api.onDidChangeServers, () => serverNamed(api, 'eager').state === 'running');
      const resource = vscode.Uri.parse('mcp-workbench://shy/note:abc');
      await assert.rejects(async () => vscode.workspace.fs.readFile(resource));
      assert.equal(serverNamed(api, 'shy').state, 'stopped');
      assert.deepEqual(await api.startServer('shy'), [{ kind: 'running' }]);
    } finally {
      await settings.update('autostartServers', undefined, target);
      await settings.update('autostartServers', undefined, own);
    }
  });

  it('of the settings adds servers, too', async () => {
    const settings = vscode.workspace.getConfiguration('mcpWorkbench');
    const target = vscode.ConfigurationTarget.Workspace;
    await settings.update('servers', { set: demo }, target);
    try {
      await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'set'));
      assert.deepEqual(await api.startServer('set'), [{ kind: 'running' }]);
    } finally {
      await settings.update('servers', undefined, target);
    }
  });
});
