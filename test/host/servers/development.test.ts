import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { describedServer } from '../../support/host/describedServer';
import { activateWorkbench, folderNamed, until, writeDocument } from '../../support/host/hostApi';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { setSetting } from '../../support/host/toolsSteps';

const { executeCommand } = vscode.commands;

/** Has the next list of the editor answered by the row with a label; returns what reads the labels it had. */
function takeRow(label: string): () => readonly string[] {
  const { showQuickPick } = vscode.window;
  let labels: readonly string[] = [];
  vscode.window.showQuickPick = async (rows: unknown) => {
    vscode.window.showQuickPick = showQuickPick;
    const shown = (await rows) as readonly vscode.QuickPickItem[];
    labels = shown.map((one) => one.label);
    return shown.find((one) => one.label === label) as never;
  };
  return () => labels;
}

describe('a server in development', function () {
  this.timeout(60_000);
  const id = 'developed';
  let api: WorkbenchApi;
  let picks: WatchedPicks;
  let script: vscode.Uri;

  const write = (uri: vscode.Uri, text: string) =>
    vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  const server = () => api.servers.find((one) => one.id === id);
  const configured = () =>
    vscode.workspace.getConfiguration().inspect<Record<string, object>>('mcpWorkbench.servers')
      ?.globalValue?.[id];
  const developed = () =>
    vscode.workspace.getConfiguration().inspect<object>('mcpWorkbench.development')?.globalValue;
  const untilSays = (description: string) =>
    until(
      api.onDidChangeServers,
      () => server()?.state === 'running' && server()?.tools[0]?.description === description,
    );
  const difference = () => {
    const { input } = vscode.window.tabGroups.activeTabGroup.activeTab ?? {};
    return input instanceof vscode.TabInputTextDiff ? input : undefined;
  };

  before(async () => {
    api = await activateWorkbench();
    script = vscode.Uri.joinPath(folderNamed('app'), 'developed', 'main.cjs');
    await write(script, describedServer('first'));
    await setSetting('servers', { [id]: { command: 'node', args: [script.fsPath] } });
    await until(api.onDidChangeServers, () => server() !== undefined);
    await api.startServer(id);
  });
  beforeEach(() => (picks = watchPicks()));
  afterEach(() => picks.dispose());
  after(async () => {
    await setSetting('servers', undefined);
    await executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(vscode.Uri.joinPath(script, '..'), { recursive: true });
  });

  it('is watched by globs that were picked, without being started anew for that', async () => {
    const turned = executeCommand('mcpWorkbench.turnOnDevelopment', id);
    const question = await picks.next(/^Turn On Development Mode of developed/);
    let starts = 0;
    const counting = api.onDidChangeServers(() => {
      if (server()?.state === 'starting') starts += 1;
    });
    question.choose('developed/**');
    await turned;
    counting.dispose();
    assert.equal(starts, 0);
    assert.deepEqual(developed(), { [id]: { watch: 'developed/**' } });
    assert.deepEqual(configured(), { command: 'node', args: [script.fsPath] });
  });

  it('restarts on a save', async () => {
    await writeDocument(script, describedServer('second'));
    await untilSays('second');
  });

  it('stays stopped when a file changes, and has the difference at the next start', async () => {
    await executeCommand('mcpWorkbench.stopServer', id);
    await writeDocument(script, describedServer('third'));
    await executeCommand('mcpWorkbench.restartAndCompare', id);
    await untilSays('third');
    await until(vscode.window.tabGroups.onDidChangeTabs, () => difference() !== undefined);
    const read = async (uri: vscode.Uri | undefined) =>
      uri && (await vscode.workspace.openTextDocument(uri)).getText();
    assert.match((await read(difference()?.original)) ?? '', /"description": "second"/);
    assert.match((await read(difference()?.modified)) ?? '', /"description": "third"/);
  });

  it('is compared with a saved file, by a row that stays until it is dismissed', async () => {
    const file = vscode.Uri.joinPath(script, '..', 'surface.json');
    const { showSaveDialog, showOpenDialog } = vscode.window;
    try {
      vscode.window.showSaveDialog = () => Promise.resolve(file);
      vscode.window.showOpenDialog = () => Promise.resolve([file]);
      const row = async (label: string) => {
        const shown = takeRow(label);
        await executeCommand('mcpWorkbench.compareServer', id);
        assert.ok(shown().includes(label));
      };
      await row('Save to a File…');
      const saved = new TextDecoder().decode(await vscode.workspace.fs.readFile(file));
      assert.match(saved, /"description": "third"/);
      await vscode.workspace.fs.writeFile(
        file,
        new TextEncoder().encode(saved.replace('"third"', '"released"')),
      );
      // While it starts anew, as it may for a file.
      const restarted = executeCommand('mcpWorkbench.restartServer', id);
      await until(api.onDidChangeServers, () => server()?.state === 'starting');
      await row('A Saved File…');
      await executeCommand('workbench.action.closeAllEditors');
      await executeCommand('mcpWorkbench.showServerChanges', id);
      await until(vscode.window.tabGroups.onDidChangeTabs, () => difference() !== undefined);
      await restarted;
      const original = difference()?.original;
      assert.ok(original);
      const text = (await vscode.workspace.openTextDocument(original)).getText();
      assert.match(text, /"description": "released"/);
    } finally {
      Object.assign(vscode.window, { showSaveDialog, showOpenDialog });
      await executeCommand('mcpWorkbench.dismissServerChanges', id);
    }
  });

  it('loses nothing but its globs when that is turned off', async () => {
    await executeCommand('mcpWorkbench.turnOffDevelopment', id);
    assert.equal(developed(), undefined);
    assert.deepEqual(configured(), { command: 'node', args: [script.fsPath] });
  });

  it('is moved out of a file that the editor acts on, and the rest of the file stays', async () => {
    const file = vscode.Uri.joinPath(folderNamed('app'), '.vscode', 'mcp.json');
    const before = (await vscode.workspace.openTextDocument(file)).getText();
    const name = 'byHand';
    const dev = { watch: 'src/**', debug: { type: 'node' } };
    const entry = { command: 'node', args: ['none.js'] };
    const text = (value: object) =>
      `{\n  // mine\n  "servers": ${JSON.stringify({ [name]: value })}\n}\n`;
    await writeDocument(file, text({ ...entry, dev }));
    await until(vscode.languages.onDidChangeDiagnostics, () =>
      vscode.languages.getDiagnostics(file).some(({ code }) => code === 'moveDevelopment'),
    );
    await executeCommand('mcpWorkbench.moveDevelopment', file.toString(), name);
    const settings = vscode.workspace.getConfiguration();
    try {
      assert.deepEqual(settings.inspect<object>('mcpWorkbench.development')?.workspaceValue, {
        [name]: dev,
      });
      const now = (await vscode.workspace.openTextDocument(file)).getText();
      assert.match(now, /^\{\n  \/\/ mine\n/);
      assert.deepEqual(JSON.parse(now.replace('// mine', '')), { servers: { [name]: entry } });
    } finally {
      await settings.update(
        'mcpWorkbench.development',
        undefined,
        vscode.ConfigurationTarget.Workspace,
      );
      await writeDocument(file, before);
    }
  });

  it('is debugged by what its command needs, or else by what is picked, and not asked about if it cannot be', async () => {
    await setSetting('servers', {
      [id]: { command: 'node', args: [script.fsPath] },
      launched: { command: 'npx', args: ['none'] },
      unclear: { command: '${env:NONE}', args: [] },
      impossible: { command: './none.sh', dev: { debug: { type: 'debugpy' } } },
    });
    await until(api.onDidChangeServers, () =>
      ['launched', 'unclear', 'impossible'].every((name) =>
        api.servers.some((one) => one.id === name),
      ),
    );
    try {
      await executeCommand('mcpWorkbench.turnOnDebugging', 'launched');
      assert.deepEqual(developed(), { launched: { debug: { type: 'node' } } });
      const turned = executeCommand('mcpWorkbench.turnOnDebugging', 'unclear');
      (await picks.next(/^Turn On Debugging of unclear/)).choose('Python');
      await turned;
      assert.deepEqual(developed(), {
        launched: { debug: { type: 'node' } },
        unclear: { debug: { type: 'debugpy' } },
      });
      const [outcome] = await api.startServer('impossible');
      assert.match(
        outcome && 'message' in outcome ? outcome.message : '',
        /only to: python, uv run/,
      );
    } finally {
      await setSetting('development', undefined);
    }
  });
});
