import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { askImports } from '../../../src/config/add/importServers';
import { describeMachine } from '../../../src/config/applications/machine';
import { applications } from '../../../src/config/applications/applications';
import type { Platform } from '../../../src/mcp/platform';
import { askOwn, noServer } from '../../../src/ui/questions/askOwn';
import { folderNamed } from '../../support/host/hostApi';
import { newQuestions } from '../../support/host/newQuestions';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';
import { byUser } from '../../../src/ui/questions/question';

const part = 'Part of it cannot be used';
const whole = 'The file cannot be read';
const opens = ' · Choose this row to open the file';
const good = '{ "mcpServers": { "good": { "command": "node" } } }';
const odd = '{ "mcpServers": { "odd": { "args": [] } } }';

describe('the list of servers of other applications', function () {
  this.timeout(60_000);
  let home: vscode.Uri;
  let picks: WatchedPicks;

  before(() => {
    home = vscode.Uri.joinPath(folderNamed('docs'), 'home');
  });

  beforeEach(() => {
    picks = watchPicks();
  });

  afterEach(async () => {
    picks.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await vscode.workspace.fs.delete(home, { recursive: true });
  });

  /** Shows the list for a home folder with these files; returns what is found in the end. */
  const find = async (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files))
      await vscode.workspace.fs.writeFile(fileAt(path), new TextEncoder().encode(text));
    const platform = {
      env: {},
      programs: { system: 'linux', home: home.fsPath },
      files: { findEscape: () => Promise.resolve(undefined) },
    } as unknown as Platform;
    const storage = vscode.Uri.file('/nobody/here/User/globalStorage/a.b');
    const found = askOwn(
      newQuestions(),
      { server: noServer, what: 'Find', asked: byUser() },
      (context) => askImports(describeMachine(platform, storage), platform.files, context, []),
    );
    return { found, shown: await picks.next(/^Find My Servers$/) };
  };

  const fileAt = (path: string) => vscode.Uri.joinPath(home, path);

  const openFiles = () =>
    vscode.window.tabGroups.all.flatMap(({ tabs }) =>
      tabs.flatMap(({ input }) => (input instanceof vscode.TabInputText ? [input.uri.path] : [])),
    );

  const untilOpen = (...paths: readonly string[]) => {
    const wanted = paths.map((path) => fileAt(path).path).toSorted();
    const isSo = () => openFiles().toSorted().join() === wanted.join();
    return poll(`${wanted.join()} in editors`, 20_000, () => Promise.resolve(isSo() || undefined));
  };

  for (const [file, text, label] of [
    ['.claude.json', '{ "numStartups": 3 }', 'Claude Code'],
    ['.claude.json', '{ "mcpServers": {}, "projects": { "/work": {} } }', 'Claude Code'],
    ['.gemini/settings.json', '{ "theme": "dark" }', 'Gemini CLI'],
    ['.cursor/mcp.json', '{}', 'Cursor'],
    ['.codeium/windsurf/mcp_config.json', '', 'Windsurf'],
    ['.codex/config.toml', 'model = "a"', 'Codex'],
    ['.continue/config.yaml', 'name: Mine', 'Continue'],
    ['.config/goose/config.yaml', 'extensions:\n  own: { type: builtin }', 'goose'],
  ] as const)
    it(`names ${label} among those without servers where its file is “${text}”`, async () => {
      const { found, shown } = await find({ [file]: text });
      assert.deepEqual(shown.labels, ['Add Server…']);
      const names = applications.map((one) => one.label).join(', ');
      assert.equal(shown.pick.prompt, `No servers found for: ${names}`);
      shown.choose('Add Server…');
      await found;
    });

  for (const [file, text, label, row, problem] of [
    ['.cursor/mcp.json', odd, 'Cursor', part, 'Its server "odd" cannot be used.'],
    ['.claude.json', '[1, 2, 3]', 'Claude Code', whole, 'The file must be an object.'],
    ['.cursor/mcp.json', '{ ', 'Cursor', whole, 'The file is not valid JSON.'],
    [
      '.gemini/settings.json',
      '{ "mcpServers": [{ "command": "node" }] }',
      'Gemini CLI',
      part,
      '"mcpServers" must be an object that maps names to servers.',
    ],
    [
      '.continue/config.yaml',
      'mcpServers: { a: { command: node } }',
      'Continue',
      part,
      '"mcpServers" must be a list of servers.',
    ],
    [
      '.agents/plugins/tools/.mcp.json',
      '{ "odd": {} }',
      'Agent plugins',
      part,
      'Its server "odd" cannot be used.',
    ],
  ] as const)
    it(`says why “${text}” of ${label} cannot be used, and opens it by its row`, async () => {
      const { found, shown } = await find({ [file]: text });
      assert.deepEqual(
        shown.pick.items.slice(1).map(({ label: name, detail }) => [name, detail]),
        [
          [label, undefined],
          [row, problem + opens],
        ],
      );
      assert.ok(!shown.pick.prompt?.includes(label));
      shown.choose(row);
      const goOn = await found;
      assert.ok(typeof goOn === 'function');
      await goOn();
      await untilOpen(file);
      assert.equal(vscode.window.activeTextEditor?.document.getText(), text);
    });

  const mixed = { '.claude.json': '[]', '.cursor/mcp.json': odd, '.gemini/settings.json': good };

  it('opens the files of checked rows that are no servers', async () => {
    const { found, shown } = await find(mixed);
    shown.choose(whole, part);
    const goOn = await found;
    assert.ok(typeof goOn === 'function');
    await goOn();
    await untilOpen('.claude.json', '.cursor/mcp.json');
  });

  it('imports servers that are checked beside such a row, and opens its file', async () => {
    const { found, shown } = await find(mixed);
    shown.choose(part, 'good');
    const servers = await found;
    assert.ok(Array.isArray(servers));
    assert.deepEqual(
      servers.map(({ name }) => name),
      ['good'],
    );
    await untilOpen('.cursor/mcp.json');
  });

  it('opens such a file by the button of its row, and stays with what is checked', async () => {
    const { found, shown } = await find(mixed);
    shown.pressRow(part, 'Open File');
    await untilOpen('.cursor/mcp.json');
    assert.equal(shown.isOpen, true);
    shown.choose('good');
    assert.equal((await found)?.length, 1);
    await untilOpen('.cursor/mcp.json');
  });

  it('opens nothing where nothing is checked', async () => {
    const { found, shown } = await find(mixed);
    shown.choose();
    const goOn = await found;
    assert.ok(typeof goOn === 'function');
    await goOn();
    assert.deepEqual(openFiles(), []);
  });
});
