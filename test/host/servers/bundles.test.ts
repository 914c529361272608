import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { strToU8, zipSync, type Zippable } from 'fflate';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { sourceKey } from '../../../src/config/configLayer';
import { nodeFiles } from '../../../src/mcp/node/nodeFiles';
import {
  activateWorkbench,
  changeFolders,
  folderNamed,
  processesWith,
  until,
  untilProcesses,
  writeDocument,
} from '../../support/host/hostApi';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';

/** A server that only answers what it must. */
const program = `
process.stdin.setEncoding('utf8');
let text = '';
process.stdin.on('data', (part) => {
  const lines = (text += part).split('\\n');
  text = lines.pop();
  for (const { id, method, params } of lines.filter(Boolean).map((line) => JSON.parse(line))) {
    const { protocolVersion } = params ?? {};
    const result = { protocolVersion, capabilities: {}, serverInfo: { name: 'b', version: '1' } };
    if (id !== undefined)
      console.log(JSON.stringify({ jsonrpc: '2.0', id, result: method === 'initialize' ? result : {} }));
  }
});`;

describe('a bundle that is added', function () {
  this.timeout(60_000);
  const { createInputBox, showErrorMessage, showInformationMessage } = vscode.window;
  const told: string[] = [];
  let api: WorkbenchApi;
  let file: vscode.Uri;
  let original = '';
  let folder = '';
  /** Where bundles are unpacked. */
  let storage = '';
  let box: vscode.InputBox | undefined;
  let picks: WatchedPicks;

  const bundle = async (files: Zippable) => {
    const path = join(folder, 'a bundle.mcpb');
    await writeFile(path, zipSync(files));
    return path;
  };
  const manifest = (more: object = {}) =>
    strToU8(
      JSON.stringify({
        manifest_version: '0.3',
        name: 'bundled',
        server: { type: 'node', entry_point: 'server/index.js' },
        ...more,
      }),
    );

  /** Makes the folder that unpacking a bundle for a server of this place makes. */
  const makeFor = (place: Parameters<typeof sourceKey>[0], name: string) =>
    nodeFiles
      .ownFolders({ scheme: 'file', authority: '', path: storage, fsPath: storage })
      .make(name, sourceKey(place));

  before(async () => {
    api = await activateWorkbench();
    file = vscode.Uri.joinPath(folderNamed('docs'), '.vscode/mcp.json');
    original = (await vscode.workspace.openTextDocument(file)).getText();
    folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-bundles-'));
  });

  beforeEach(() => {
    told.length = 0;
    box = undefined;
    picks = watchPicks();
    const tell = (message: string) => {
      told.push(message);
      return Promise.resolve();
    };
    Object.assign(vscode.window, {
      createInputBox: () => (box = createInputBox()),
      showErrorMessage: tell,
      showInformationMessage: tell,
    });
  });

  afterEach(() => {
    picks.dispose();
    Object.assign(vscode.window, { createInputBox, showErrorMessage, showInformationMessage });
  });

  after(async () => {
    await writeDocument(file, original);
    await rm(folder, { recursive: true });
  });

  it('is unpacked when its server is written, runs, and is removed with it', async () => {
    const path = await bundle({
      'manifest.json': manifest(),
      'server/index.js': strToU8(program),
    });
    const adding = vscode.commands.executeCommand('mcpWorkbench.addServer', path);
    const shown = await poll('the question for a name', 20_000, () => Promise.resolve(box));
    assert.equal(shown.value, 'bundled');
    const command = /node (\S+index\.js)$/.exec(shown.prompt ?? '')?.[1] ?? '';
    const own = dirname(dirname(command));
    storage = dirname(own);
    assert.equal(existsSync(command), false, 'Nothing is unpacked before there is a yes.');
    await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
    (await picks.next(/^Where should "bundled" be saved/)).choose('docs/.vscode/mcp.json');
    await adding;
    assert.deepEqual(told, ['Added: bundled']);
    await until(api.onDidChangeServers, () => api.servers.some(({ id }) => id === 'bundled'));
    assert.deepEqual(await api.startServer('bundled'), [{ kind: 'running' }]);
    assert.equal((await processesWith(command)).length, 1);

    await writeDocument(file, original);
    await untilProcesses(command, 0);
    await poll('the end of its folder', 20_000, () =>
      Promise.resolve(!existsSync(own) || undefined),
    );
  });

  it('stays when the folder leaves the window whose settings have its server', async () => {
    const root = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'mcp-workbench-leaving-')));
    const settings = vscode.Uri.joinPath(root, '.vscode/settings.json');
    const write = (servers: object) =>
      vscode.workspace.fs.writeFile(
        settings,
        strToU8(JSON.stringify({ 'mcpWorkbench.servers': servers })),
      );
    const { length } = vscode.workspace.workspaceFolders ?? [];
    const isThere = () => api.servers.some(({ id }) => id === 'leaving');
    const enter = async () => {
      await changeFolders(length, 0, { uri: root });
      await until(api.onDidChangeServers, isThere);
    };
    const leave = async () => {
      await changeFolders(length, 1);
      await until(api.onDidChangeServers, () => !isThere());
    };
    const own = join(storage, 'leaving-01234567');
    const name = basename(root.path);
    const ofFolder = {
      label: `Folder Settings of ${name}`,
      folder: { uri: root.toString(), name },
    };
    await makeFor(ofFolder, basename(own));
    await write({ leaving: { command: 'node', args: ['index.js'], cwd: own } });
    try {
      await enter();
      await leave();
      await enter();
      assert.ok(existsSync(own), 'It is kept for the folder.');
      await write({});
      await poll('the end of its folder', 20_000, () =>
        Promise.resolve(!existsSync(own) || undefined),
      );
    } finally {
      const last = vscode.workspace.workspaceFolders?.length ?? 0;
      if (last > length) await changeFolders(length, last - length);
      await rm(root.fsPath, { recursive: true });
      await rm(own, { recursive: true, force: true });
    }
  });

  it('stays while a file of settings that is open has its server, whatever the window understands of it', async () => {
    const root = await mkdtemp(join(tmpdir(), 'mcp-workbench-typing-'));
    const typed = join(root, 'settings.json');
    const settings = () => vscode.workspace.getConfiguration();
    const set = (servers?: object) =>
      settings().update('mcpWorkbench.servers', servers, vscode.ConfigurationTarget.Global);
    const own = join(storage, 'typing-01234567');
    await makeFor({ label: 'User Settings' }, basename(own));
    const servers = { typing: { command: 'node', args: ['index.js'], cwd: own } };
    const isThere = () => api.servers.some(({ id }) => id === 'typing');
    const comeAndGo = async () => {
      await set(servers);
      await until(api.onDidChangeServers, isThere);
      await set();
      await until(api.onDidChangeServers, () => !isThere());
    };
    await writeFile(typed, `{ "x": {\n  "mcpWorkbench.servers": ${JSON.stringify(servers)} }`);
    try {
      await vscode.window.showTextDocument(vscode.Uri.file(typed));
      await comeAndGo();
      await set(servers);
      await until(api.onDidChangeServers, isThere);
      assert.ok(existsSync(own), 'It is kept for who types.');
      await writeDocument(vscode.Uri.file(typed), '{}');
      await set();
      await poll('the end of its folder', 20_000, () =>
        Promise.resolve(!existsSync(own) || undefined),
      );
    } finally {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await rm(root, { recursive: true });
      await rm(own, { recursive: true, force: true });
    }
  });

  const tooLong = { name: 'bundled', long: 'x'.repeat(1_000_001) };
  const refused: readonly [title: string, files: Zippable, problem: RegExp][] = [
    [
      'a path that leads out',
      { 'manifest.json': manifest(), '../out.js': strToU8('x') },
      /leads out of it/,
    ],
    ['no manifest', { 'a.js': strToU8('x') }, /manifest of the bundle cannot be read/],
    [
      'a manifest above a size of its own',
      { 'manifest.json': manifest(tooLong) },
      /manifest of the bundle cannot be read/,
    ],
  ];
  for (const [title, files, problem] of refused)
    it(`is refused in one sentence, and nothing is asked: ${title}`, async () => {
      await vscode.commands.executeCommand('mcpWorkbench.addServer', await bundle(files));
      assert.match(told.join(), problem);
      assert.equal(box, undefined);
      assert.deepEqual(await readdir(folder), ['a bundle.mcpb']);
    });
});
