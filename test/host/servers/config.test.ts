import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { shownPath } from '../../../src/base/uri/fileAddress';
import type { WorkbenchApi } from '../../../src/api';
import { deferred, delay } from '../../../src/base/async';
import { maxConfigBytes } from '../../../src/config/places/folderFiles';
import type { LocatedDefinition } from '../../../src/config/mergeLayers';
import type { ConfigLayer } from '../../../src/config/configLayer';
import { findSandboxTool } from '../../../src/mcp/node/sandbox/planConfinement';
import {
  createDisabledNode,
  createProblemNode,
  createDuplicateNode,
} from '../../../src/tree/unusedNodes';
import type { TreeNode } from '../../../src/ui/tree';
import {
  activateWorkbench,
  folderNamed,
  processesWith,
  serverNamed,
  until,
  untilProcesses,
  writeDocument,
} from '../../support/host/hostApi';
import { watchPicks } from '../../support/host/shownPicks';

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

/** How long a program takes to write a file that it has emptied: longer than it takes to notice a change. */
const writingMs = 200;

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

  for (const where of ['here', 'everywhere'])
    it(`whose server is disabled ${where} stops it, and nothing starts it until it is enabled`, async () => {
      const isThere = () => api.servers.some(({ id }) => id === 'filesystem');
      await vscode.commands.executeCommand('mcpWorkbench.disableServer', 'filesystem', where);
      await until(api.onDidChangeServers, () => !isThere());
      await untilProcesses('server-filesystem', 0);
      await assert.rejects(api.startServer('filesystem'), /filesystem: Disabled/);
      await vscode.commands.executeCommand('mcpWorkbench.enableServer', 'filesystem');
      await until(api.onDidChangeServers, isThere);
      assert.deepEqual(await api.startServer('filesystem'), [{ kind: 'running' }]);
    });

  it('that says itself that a server is off keeps it out', async () => {
    const off = { ...filesystem, disabled: true };
    await writeDocument(file, JSON.stringify({ servers: { filesystem: off } }));
    await until(api.onDidChangeServers, () => !api.servers.some(({ id }) => id === 'filesystem'));
    await assert.rejects(api.startServer('filesystem'), /Disabled in its configuration/);
  });

  it('loses a server that is removed, and keeps the others', async () => {
    await write({ filesystem, second: { ...demo, args: ['--trace-warnings', ...demo.args] } });
    const isThere = (id: string) => api.servers.some((one) => one.id === id);
    await until(api.onDidChangeServers, () => isThere('second'));
    const picks = watchPicks();
    const removed = vscode.commands.executeCommand('mcpWorkbench.removeServer', 'second');
    const question = await picks.next(/^Remove second from .*\/\.vscode\/mcp\.json\?$/);
    question.choose('Remove');
    await removed;
    picks.dispose();
    await until(api.onDidChangeServers, () => !isThere('second'));
    assert.ok(isThere('filesystem'));
  });

  it('loses all servers that are selected, once that is not kept', async () => {
    const second = { ...demo, args: ['--trace-warnings', ...demo.args] };
    const third = { ...demo, args: ['--trace-uncaught', ...demo.args] };
    await write({ filesystem, second, third });
    const ids = () => api.servers.map(({ id }) => id);
    await until(api.onDidChangeServers, () => ids().includes('third'));
    const row = (id: string) => ({ id, parent: undefined, server: { id }, isServer: true });
    const selection = [row('second'), row('third')];
    const picks = watchPicks();
    const removed = vscode.commands.executeCommand(
      'mcpWorkbench.removeServer',
      selection[0],
      selection,
    );
    (await picks.next(/^Remove 2 servers: second, third\?$/)).choose('Remove');
    await removed;
    picks.dispose();
    await until(api.onDidChangeServers, () => !ids().some((id) => /second|third/.test(id)));
    assert.ok(ids().includes('filesystem'));
  });

  it('offers servers that are off to be removed as well', async () => {
    const second = { ...demo, args: ['--trace-warnings', ...demo.args] };
    const isOn = () => api.servers.some(({ id }) => id === 'second');
    await write({ filesystem, second });
    await until(api.onDidChangeServers, isOn);
    const off = { ...second, disabled: true };
    await writeDocument(file, JSON.stringify({ servers: { filesystem, second: off } }));
    await until(api.onDidChangeServers, () => !isOn());
    const picks = watchPicks();
    const removing = vscode.commands.executeCommand('mcpWorkbench.removeServer');
    (await picks.next(/^Remove Server$/)).choose('second');
    (await picks.next(/^Remove second from /)).choose('Keep');
    await removing;
    picks.dispose();
  });

  for (const [what, entry, nodeOf] of [
    [
      'disabled',
      { ...demo, disabled: true },
      (server) => createDisabledNode({ server, why: { kind: 'disabled', by: 'entry' } }),
    ],
    [
      'the same as another',
      filesystem,
      (server) => createDuplicateNode({ server, as: { id: 'filesystem', name: 'filesystem' } }),
    ],
    [
      'broken',
      { type: 'websocket' },
      ({ definition: { id, name }, layer }) =>
        createProblemNode({ id, name, entryName: name, message: '', layer }),
    ],
    [
      'disabled and uses inputs',
      { ...demo, env: { KEY: '${input:key}' }, disabled: true },
      (server) => createDisabledNode({ server, why: { kind: 'disabled', by: 'entry' } }),
    ],
  ] as const satisfies readonly (readonly [
    string,
    object,
    (server: LocatedDefinition) => TreeNode,
  ])[])
    it(`loses an entry that is ${what} by its row, once that is not kept`, async () => {
      await writeDocument(file, JSON.stringify({ servers: { filesystem, second: entry } }));
      const label = 'docs/.vscode/mcp.json';
      const entries = [{ name: 'second', value: entry }];
      const layer = {
        scope: 'folder',
        label,
        uri: file.toString(),
        entries,
      } as Partial<ConfigLayer>;
      const definition = { id: 'second', name: 'second', source: { label } };
      const row = nodeOf({ definition, layer } as LocatedDefinition);
      const written = async () =>
        JSON.parse((await vscode.workspace.openTextDocument(file)).getText()) as unknown;
      const picks = watchPicks();
      for (const [choice, left] of [
        ['Keep', { filesystem, second: entry }],
        ['Remove', { filesystem }],
      ] as const) {
        const removing = vscode.commands.executeCommand('mcpWorkbench.removeServer', row);
        const question = await picks.next(/^Remove second from docs\/\.vscode\/mcp\.json\?$/);
        assert.deepEqual(question.labels, ['Keep', 'Remove']);
        assert.deepEqual(
          question.pick.items.flatMap(({ description }) => description ?? []),
          'env' in entry ? ['its inputs stay stored until you clear them'] : [],
        );
        question.choose(choice);
        await removing;
        assert.deepEqual(await written(), { servers: left });
      }
      picks.dispose();
    });

  for (const [where, target] of [
    ['of the user', vscode.ConfigurationTarget.Global],
    ['of the workspace', vscode.ConfigurationTarget.Workspace],
  ] as const)
    it(`in the settings ${where} loses a server that is removed, and keeps the others`, async () => {
      const settings = vscode.workspace.getConfiguration('mcpWorkbench');
      const isThere = (id: string) => api.servers.some((one) => one.id === id);
      const other = { ...demo, args: ['--trace-warnings', ...demo.args] };
      await settings.update('servers', { set: demo, other }, target);
      const picks = watchPicks();
      try {
        await until(api.onDidChangeServers, () => isThere('other'));
        const removing = vscode.commands.executeCommand('mcpWorkbench.removeServer', 'other');
        (await picks.next(/^Remove other from (?:User|Workspace) Settings\?$/)).choose('Remove');
        await removing;
        await until(api.onDidChangeServers, () => !isThere('other'));
        const { globalValue, workspaceValue } =
          vscode.workspace.getConfiguration('mcpWorkbench').inspect<object>('servers') ?? {};
        const left = target === vscode.ConfigurationTarget.Global ? globalValue : workspaceValue;
        assert.deepEqual(left, { set: demo });
      } finally {
        picks.dispose();
        await settings.update('servers', undefined, target);
      }
    });

  it('that is saved adds a server and leaves the others alone', async () => {
    // Processes of earlier tests may still be ending.
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

  it('has a server run confined that wants to be, where the machine can', async () => {
    const own = '--trace-warnings';
    await write({
      filesystem,
      boxed: { ...demo, args: [own, ...demo.args], sandboxEnabled: true },
    });
    assert.deepEqual(await api.startServer('boxed'), [{ kind: 'running' }]);
    const tool = await findSandboxTool(process.platform);
    const confined = await processesWith(/--unshare-net .*--trace-warnings/s);
    assert.equal(confined.length > 0, tool?.tool === 'bwrap');
    await writeDocument(file, JSON.stringify({ servers: { filesystem } }));
    await untilProcesses(own, 0);
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

  for (const gone of ['emptied', 'deleted'])
    it(`that a program has ${gone} before it writes it takes no running server away`, async () => {
      const before = await processesWith('server-filesystem');
      const watcher = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(folderNamed('docs'), '.vscode/mcp.json'),
      );
      const noticed = deferred<void>();
      watcher.onDidChange(() => noticed.resolve());
      watcher.onDidDelete(() => noticed.resolve());
      try {
        if (gone === 'emptied') await vscode.workspace.fs.writeFile(file, new Uint8Array());
        else await vscode.workspace.fs.delete(file);
        await noticed.promise;
        await delay(writingMs);
      } finally {
        watcher.dispose();
        await vscode.workspace.fs.writeFile(file, Buffer.from(original));
      }
      await write({ filesystem, later: demo });
      assert.equal(serverNamed(api, 'filesystem').state, 'running');
      assert.deepEqual(await processesWith('server-filesystem'), before);
    });

  it('that was deleted gives none of its servers to a broken one in its place', async () => {
    const isThere = () => api.servers.some(({ name }) => name === 'filesystem');
    await vscode.workspace.fs.delete(file);
    await until(api.onDidChangeServers, () => !isThere());
    try {
      await vscode.workspace.fs.writeFile(file, Buffer.from('{ "servers": '));
      await waitForProblems((problems) => problems.length > 0);
      assert.equal(isThere(), false);
    } finally {
      // The editor's open document must find the file as it left it.
      await vscode.workspace.fs.writeFile(file, Buffer.from(original));
    }
  });

  it('that breaks off is marked where its servers stand by now, and nowhere past its end', async () => {
    const gap = '\n'.repeat(20);
    const early = '    "early": { "type": "websocket" },';
    const late = '    "late": { "type": "websocket" }';
    await writeDocument(file, `{\n  "servers": {${gap}${early}${gap}${late}\n  }\n}\n`);
    await waitForProblems((problems) => problems.length === 2);
    await writeDocument(file, `{\n  "servers": {\n${early}\n`);
    await waitForProblems((problems) => problems.some(({ message }) => /not valid/.test(message)));
    assert.deepEqual(
      ours().map(({ message, range }) => [/"(\w+)" is unknown/.test(message), range.start.line]),
      [
        [false, 3],
        [true, 2],
        [true, 0],
      ],
    );
  });

  it('that is too large to be read is marked, and takes no running server away', async () => {
    const before = await processesWith('server-filesystem');
    try {
      await vscode.workspace.fs.writeFile(file, Buffer.alloc(maxConfigBytes + 1, ' '));
      await waitForProblems((problems) => problems.length > 0);
      assert.deepEqual(
        ours().map(({ message }) => message),
        [`The file cannot be read: ${shownPath(file)} is larger than 5 MB.`],
      );
      assert.equal(serverNamed(api, 'filesystem').state, 'running');
      assert.deepEqual(await processesWith('server-filesystem'), before);
    } finally {
      // The editor's open document must find the file as it left it.
      await vscode.workspace.fs.writeFile(file, Buffer.from(original));
    }
    await waitForProblems((problems) => problems.length === 0);
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
    // The editor's own client shows lenses on the same line.
    assert.ok(lenses.some(({ command }) => command?.title.startsWith('MCP Workbench: Running')));
    assert.deepEqual(
      own.map(({ command }) => [command?.command, command?.arguments]),
      ['stopServer', 'restartServer', 'showServerLog'].map((name) => [
        `mcpWorkbench.${name}`,
        ['filesystem'],
      ]),
    );
    assert.ok(own.every(({ range }) => range.start.line === 3));
  });

  it('starts a server by itself, or only by hand, where the settings say so', async () => {
    const settings = vscode.workspace.getConfiguration('mcpWorkbench');
    const target = vscode.ConfigurationTarget.Workspace;
    const own = vscode.ConfigurationTarget.Global;
    await settings.update('autostartServers', { eager: 'always', shy: 'always' }, own);
    // A workspace can only make it stricter.
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
      // Another extension is not the user.
      const [refused] = await api.startServer('shy');
      assert.equal(refused?.kind, 'refused');
      const byHand = await vscode.commands.executeCommand('mcpWorkbench.startServer', 'shy');
      assert.deepEqual(byHand, [{ kind: 'running' }]);
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
