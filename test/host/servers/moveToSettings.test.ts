import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import type { InputValues } from '../../../src/config/inputs/inputValues';
import { moveToSettings } from '../../../src/config/share/moveToSettings';
import type { ServerSwitches } from '../../../src/config/switches/serverSwitches';
import type { DocumentInput } from '../../../src/ui/documents/documentInput';
import { askOwn, noServer } from '../../../src/ui/questions/askOwn';
import { promptKeys } from '../../../src/ui/questions/typing';
import { QuestionQueue } from '../../../src/ui/questions/queue';
import {
  activateWorkbench,
  folderNamed,
  textOnDisk,
  until,
  writer,
} from '../../support/host/hostApi';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';
import { byUser } from '../../../src/ui/questions/question';

const secret = 'ghp_0123456789abcdefghij0123';
const text = `{
  // mine
  "mcpServers": {
    // stays
    "plain": { "command": "node", "args": ["plain.js"] },
    "odd": {
      "command": "node",
      "args": ["odd.js", "\${input:region}"],
      "cwd": "sub",
      "env": { "API_KEY": "${secret}" },
      "timeouts": { "start": 5 }
    },
    "events": { "type": "sse", "url": "https://example.com/sse" }
  },
  "inputs": [{ "id": "region", "type": "promptString" }]
}
`;

describe('a server in a file that other applications cannot use it from', function () {
  this.timeout(60_000);
  const { showErrorMessage, showInformationMessage } = vscode.window;
  const told: string[] = [];
  let api: WorkbenchApi;
  let file: vscode.Uri;
  let picks: WatchedPicks;

  const read = () => textOnDisk(file);
  const write = (content: string) =>
    vscode.workspace.fs.writeFile(file, new TextEncoder().encode(content));
  const settings = (key: string) =>
    vscode.workspace
      .getConfiguration(undefined, folderNamed('docs'))
      .inspect<unknown>(`mcpWorkbench.${key}`)?.workspaceFolderValue;
  const marks = () =>
    vscode.languages.getDiagnostics(file).filter(({ code }) => code === 'moveToSettings');
  const hasServer = (name: string) => api.servers.some((one) => one.name === name);

  before(async () => {
    api = await activateWorkbench();
    file = vscode.Uri.joinPath(folderNamed('docs'), '.mcp.json');
  });

  beforeEach(async () => {
    told.length = 0;
    picks = watchPicks();
    const tell = (message: string) => {
      told.push(message);
      return Promise.resolve();
    };
    Object.assign(vscode.window, { showErrorMessage: tell, showInformationMessage: tell });
    await write(text);
    await until(api.onDidChangeServers, () => hasServer('odd'));
    await until(vscode.languages.onDidChangeDiagnostics, () => marks().length === 2);
  });

  it('is spelled as in mcp.json by a quick fix, where another application wrote it', async () => {
    await write(
      '{ "mcpServers": { "odd": { "type": "remote", "httpUrl": "https://example.com/mcp" } } }',
    );
    const respelled = () =>
      vscode.languages.getDiagnostics(file).filter(({ code }) => code === 'respell');
    await until(vscode.languages.onDidChangeDiagnostics, () => respelled().length === 2);
    const document = await vscode.workspace.openTextDocument(file);
    const [mark] = respelled();
    const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
      'vscode.executeCodeActionProvider',
      file,
      mark?.range,
    );
    const fix = actions.find(({ title }) => title === 'Write It as in mcp.json');
    assert.ok(fix?.edit && (await vscode.workspace.applyEdit(fix.edit)));
    assert.equal(
      document.getText(),
      '{ "mcpServers": { "odd": { "type": "http", "url": "https://example.com/mcp" } } }',
    );
    await document.save();
    await until(vscode.languages.onDidChangeDiagnostics, () => respelled().length === 0);
  });

  afterEach(async () => {
    picks.dispose();
    Object.assign(vscode.window, { showErrorMessage, showInformationMessage });
    const configuration = vscode.workspace.getConfiguration('mcpWorkbench', folderNamed('docs'));
    const target = vscode.ConfigurationTarget.WorkspaceFolder;
    await configuration.update('servers', undefined, target);
    await configuration.update('inputs', undefined, target);
    await vscode.workspace.fs.delete(file);
    await until(api.onDidChangeServers, () => !hasServer('odd') && !hasServer('plain'));
  });

  /** Uses the quick fix at the server's name to go to the question that offers to move it. */
  const untilSeen = async (name: string) => {
    const document = await vscode.workspace.openTextDocument(file);
    // The editor may still have the text from another test.
    const isCurrent = () => Promise.resolve(document.getText() === text || undefined);
    await poll('the text of the file', 20_000, isCurrent);
    const start = document.positionAt(document.getText().indexOf(`"${name}"`));
    // The editor gets a diagnostic slightly later than the extensions do.
    const action = await poll('the fix of the mark', 20_000, async () => {
      const actions = await vscode.commands.executeCommand<vscode.CodeAction[]>(
        'vscode.executeCodeActionProvider',
        file,
        new vscode.Range(start, start),
        vscode.CodeActionKind.QuickFix.value,
      );
      return actions.find(({ title }) => title === 'Move to Settings');
    });
    assert.ok(action.command);
    const { command, arguments: given = [] } = action.command;
    const done = vscode.commands.executeCommand(command, ...(given as unknown[]));
    const title = new RegExp(`^Move ${name} to Folder Settings of docs$`);
    const ended = Promise.resolve(done).then(() => assert.fail(`Not asked: ${told.join()}`));
    const first = await Promise.race([picks.next(title), ended]);
    assert.ok(
      !first.labels.includes('Move to Settings'),
      'The change is seen before there is a yes.',
    );
    first.choose('Show Changes…');
    const isShown = () => {
      const shown = vscode.window.activeTextEditor?.document.getText() ?? '';
      const isDiff =
        vscode.window.tabGroups.activeTabGroup.activeTab?.input instanceof vscode.TabInputTextDiff;
      return isDiff && shown.includes('"plain"') && !shown.includes(`"${name}"`);
    };
    await poll('the difference', 20_000, () => Promise.resolve(isShown() || undefined));
    // Output may be open below, from a test before.
    const compared = vscode.window.visibleTextEditors
      .filter(({ document: { uri } }) => uri.scheme !== 'output')
      .map(({ document: { languageId } }) => languageId);
    assert.ok(compared.length > 0 && compared.every((one) => one === 'jsonc'), compared.join());
    assert.equal(await read(), text, 'Nothing is removed before a yes.');
    assert.equal(settings('servers'), undefined, 'Nothing is written before a yes.');
    await vscode.commands.executeCommand('mcpWorkbench.answerDocument');
    return { question: await picks.next(title), done };
  };

  it('is marked by what they cannot use', () =>
    assert.deepEqual(
      marks().map(({ message, range }) => [message, range.start.line]),
      [
        ['Other applications that read this file cannot use cwd, ${input:…}.', 5],
        ['Other applications that read this file cannot use "type": "sse".', 12],
      ],
    ));

  it('moves to the settings with its input, its secret kept in neither', async () => {
    const { question, done } = await untilSeen('odd');
    assert.ok(question.labels.some((label) => label.includes('API_KEY')));
    question.choose('Move to Settings');
    await done;
    assert.deepEqual(settings('servers'), {
      odd: {
        command: 'node',
        args: ['odd.js', '${input:region}'],
        cwd: 'sub',
        env: { API_KEY: '${input:odd-API_KEY}' },
        timeouts: { start: 5 },
      },
    });
    const ids = (settings('inputs') as { readonly id: string }[]).map(({ id }) => id);
    assert.deepEqual(ids, ['region', 'odd-API_KEY']);
    const left = await read();
    assert.ok(!left.includes(secret) && !left.includes('"odd"'));
    for (const kept of ['// mine', '// stays', '"plain"', '"events"'])
      assert.ok(left.includes(kept), kept);
    assert.match(told.join(), /^Moved to Folder Settings of docs: odd$/);
    await until(vscode.languages.onDidChangeDiagnostics, () => marks().length === 1);
    assert.ok(hasServer('odd'));
  });

  it('stays where it is where the file changed in the meantime', async () => {
    const { question, done } = await untilSeen('events');
    const newer = text.replace('plain.js', 'newer.js');
    await write(newer);
    question.choose('Move to Settings');
    await done;
    assert.equal(await read(), newer);
    assert.equal(settings('servers'), undefined);
    assert.match(told.join(), /has changed in the meantime/);
  });

  it('of the user moves to the settings of the user', async () => {
    const home = vscode.Uri.file(await mkdtemp(join(tmpdir(), 'mcp-workbench-copilot-')));
    const own = vscode.Uri.joinPath(home, 'mcp-config.json');
    const configuration = vscode.workspace.getConfiguration('mcpWorkbench');
    const target = vscode.ConfigurationTarget.Global;
    const { COPILOT_HOME: before } = process.env;
    process.env['COPILOT_HOME'] = home.fsPath;
    const content = '{ "mcpServers": { "mine": { "command": "node", "cwd": "/" } } }';
    await vscode.workspace.fs.writeFile(own, new TextEncoder().encode(content));
    try {
      await configuration.update('places', ['vscode', 'mcpJson', 'copilot'], target);
      await until(api.onDidChangeServers, () => hasServer('mine'));
      const arguments_ = [own.toString(), 'mine'];
      const done = vscode.commands.executeCommand('mcpWorkbench.moveToSettings', ...arguments_);
      (await picks.next(/^Move mine to User Settings$/)).choose('Show Changes…');
      const isShown = () =>
        vscode.window.activeTextEditor?.document.uri.path.endsWith('/mcp-config.jsonc') &&
        !vscode.window.activeTextEditor.document.getText().includes('mine');
      await poll('the difference', 20_000, () => Promise.resolve(isShown() || undefined));
      await vscode.commands.executeCommand('mcpWorkbench.answerDocument');
      (await picks.next(/^Move mine to User Settings$/)).choose('Move to Settings');
      await done;
      const { globalValue } = configuration.inspect<object>('servers') ?? {};
      assert.deepEqual(Object.entries(globalValue ?? {}).find(([name]) => name === 'mine')?.[1], {
        command: 'node',
        cwd: '/',
      });
      assert.deepEqual(JSON.parse(await textOnDisk(own)), { mcpServers: {} });
    } finally {
      if (before === undefined) delete process.env['COPILOT_HOME'];
      else process.env['COPILOT_HOME'] = before;
      await configuration.update('servers', undefined, target);
      await configuration.update('places', undefined, target);
      await vscode.workspace.fs.delete(home, { recursive: true });
    }
  });

  it('leaves none of its secrets behind where it cannot be moved', async () => {
    const stored = new Map<string, string>();
    const values = {
      idsAt: () => Promise.resolve(new Set()),
      valueFor: () => Promise.resolve('eu'),
      store: (_: object, id: string, value: string) => Promise.resolve(void stored.set(id, value)),
      forget: (_: object, id: string) => Promise.resolve(void stored.delete(id)),
    } as unknown as InputValues;
    const kept: string[] = [];
    const follow = () => {
      kept.push(...stored.keys());
      return Promise.reject(new Error('The disk is full.'));
    };
    const deps = {
      values,
      switches: { follow } as unknown as ServerSwitches,
      input: { ask: () => Promise.resolve({}) } as unknown as DocumentInput,
      writer,
    };
    const folder = { uri: folderNamed('docs').toString(), name: 'docs' };
    const from = { scope: 'folder', label: 'docs', uri: file.toString(), folder } as const;
    const layer = { ...from, entries: [], inputs: undefined, problems: [] };
    const queue = new QuestionQueue({ ...promptKeys, mayShow: () => true });
    const moving = askOwn(
      queue,
      { server: noServer, what: 'Move to Settings', asked: byUser() },
      (context) => moveToSettings('odd', layer, deps, context),
    );
    (await picks.next(/^Move odd to/)).choose('Show Changes…');
    (await picks.next(/^Move odd to/)).choose('Move to Settings');
    await assert.rejects(moving, /The disk is full/);
    assert.deepEqual(kept, ['odd-API_KEY', 'region']);
    assert.deepEqual([...stored], []);
    assert.equal(await read(), text);
  });
});
