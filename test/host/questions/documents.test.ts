import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred, delay } from '../../../src/base/async';
import { until } from '../../support/host/hostApi';
import { watchPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';
import { backToQuestion, choiceCommands } from '../../../src/ui/documents/choiceCommands';
import { DocumentInput } from '../../../src/ui/documents/documentInput';
import { MemoryFiles } from '../../../src/ui/documents/memoryFiles';
import type { KeyClock } from '../../../src/ui/questions/question';
import { promptKeys } from '../../../src/ui/questions/typing';
import { useAskingServers } from '../requests/askingServers';
import { byUser } from '../../../src/ui/questions/question';

const { executeCommand } = vscode.commands;

const active = () => vscode.window.activeTextEditor?.document;

describe('a document that a server makes appear', function () {
  this.timeout(60_000);
  const asks = useAskingServers({ prefix: 'beside' });

  const fields = Array.from({ length: 101 }, (_, at) => [`field${at}`, { type: 'string' }]);
  const requestedSchema = { type: 'object', properties: Object.fromEntries(fields) };

  /** The documents that servers can open, and the choice that ends each of them. */
  const documents: readonly (readonly [what: string, tool: string, params: object, end: string])[] =
    [
      ['a form of many fields', 'ask_elicitation', { message: 'A', requestedSchema }, 'decline'],
      ['a request to a language model', 'ask_sampling', {}, 'deny'],
    ];

  /** Allows the server's requests to be reviewed without a question first. */
  const allowRequests = async () => {
    const first = asks.call('2025', 'ask_sampling', {});
    const consent = await asks.picks.next(/ asks: use of/);
    consent.choose('Review Requests Only');
    await asks.choose(await asks.document(), 'deny');
    await first.text;
  };

  for (const [what, tool, params, end] of documents)
    it(`leaves the keyboard to the editor in which the user types, and is found by its question: ${what}`, async () => {
      if (tool === 'ask_sampling') await allowRequests();
      const before = await asks.answers('2025');
      const own = await vscode.workspace.openTextDocument({ content: 'mine' });
      await vscode.window.showTextDocument(own);
      const asked = asks.call('2025', tool, { params });
      const document = await asks.document();
      assert.equal(active(), own);
      await executeCommand('type', { text: 'x' });
      assert.match(own.getText(), /x/);
      assert.doesNotMatch(document.getText(), /^x/);
      // The key for the first choice only works in the document.
      await executeCommand('mcpWorkbench.answerDocument');
      assert.deepEqual(await asks.answers('2025'), before);
      await executeCommand('mcpWorkbench.showQuestions');
      await until(vscode.window.onDidChangeActiveTextEditor, () => active() === document);
      await asks.choose(document, end);
      await asked.text;
      await asks.noDocument();
    });

  it('leads on to the result of the call in which it was answered', async () => {
    const own = await vscode.workspace.openTextDocument({ content: 'mine' });
    await vscode.window.showTextDocument(own);
    const args = { params: { message: 'A', requestedSchema } };
    const row = { server: asks.nameOf('2025'), tool: 'ask_elicitation', arguments: args };
    const ran = executeCommand('mcpWorkbench.runTool', row);
    (await asks.picks.next(/: params$/)).accept();
    const document = await asks.document();
    await executeCommand('mcpWorkbench.showQuestions');
    await until(vscode.window.onDidChangeActiveTextEditor, () => active() === document);
    await executeCommand('cursorBottom');
    await asks.choose(document, 'decline');
    await ran;
    assert.match(active()?.getText() ?? '', /decline/);
  });
});

/**
 * Creates an input although the extension has already registered its command; `press` does what the command's key
 * does.
 */
function createInput(files: MemoryFiles, clock: KeyClock) {
  let press = async () => {};
  const { registerCommand } = vscode.commands;
  vscode.commands.registerCommand = (_id, handler) => {
    press = async () => void (await handler());
    return new vscode.Disposable(() => {});
  };
  try {
    return { input: new DocumentInput(files, clock), press: () => press() };
  } finally {
    vscode.commands.registerCommand = registerCommand;
  }
}

describe('the way to the questions that wait', () => {
  const { showInformationMessage, showOpenDialog } = vscode.window;
  const told: string[] = [];

  beforeEach(() => {
    const tell = (shown: string) => Promise.resolve(void told.push(shown));
    Object.assign(vscode.window, { showInformationMessage: tell });
  });

  afterEach(() => {
    Object.assign(vscode.window, { showInformationMessage, showOpenDialog });
  });

  for (const [what, command, args, text] of [
    ['says so where none does', 'showQuestions', [], 'No question waits for you.'],
  ] as const)
    it(what, async () => {
      await executeCommand(`mcpWorkbench.${command}`, ...args);
      assert.deepEqual(told.splice(0), [text]);
    });

  it('says what to do where one waits for what it has opened elsewhere', async () => {
    const [opened, file] = [deferred<void>(), deferred<undefined>()];
    const open = () => {
      opened.resolve();
      return file.promise;
    };
    Object.assign(vscode.window, { showOpenDialog: open });
    const picks = watchPicks();
    const added = executeCommand('mcpWorkbench.addServer');
    (await picks.next(/^Add Server$/)).choose('MCP Bundle…');
    await opened.promise;
    await executeCommand('mcpWorkbench.showQuestions');
    assert.match(told.splice(0).join(), /^Finish or cancel what "Add Server/);
    file.resolve(undefined);
    await added;
    picks.dispose();
  });
});

describe('a document that was decided on', () => {
  const { tabGroups } = vscode.window;

  afterEach(() => {
    Object.defineProperty(vscode.window, 'tabGroups', { get: () => tabGroups, configurable: true });
  });

  for (const [what, choice, leaves] of [
    ['leaves the keyboard to the question that comes back', backToQuestion(), true],
    ['gives it to what is behind it', { id: 'use', title: 'Use' }, false],
  ] as const)
    it(what, async () => {
      const kept: (boolean | undefined)[] = [];
      const close = (tabs: readonly vscode.Tab[], preserveFocus?: boolean) => {
        kept.push(preserveFocus);
        return tabGroups.close(tabs, preserveFocus);
      };
      const { onDidChangeTabs } = tabGroups;
      const spied = { onDidChangeTabs, close, activeTabGroup: tabGroups.activeTabGroup };
      const all = { get: () => tabGroups.all };
      Object.defineProperty(spied, 'all', all);
      const files = new MemoryFiles(`mcp-workbench-decided-${leaves}`);
      const { input } = createInput(files, promptKeys);
      Object.defineProperty(vscode.window, 'tabGroups', { get: () => spied, configurable: true });
      const answer = input.ask({
        permit: byUser(),
        name: 'decided.txt',
        text: 'a',
        choices: [choice],
      });
      await until(
        vscode.window.onDidChangeActiveTextEditor,
        () => active()?.uri.scheme === files.scheme,
      );
      await input.choose(byUser(), active()?.uri, () => true);
      assert.equal((await answer).choice, choice.id);
      assert.deepEqual(kept, [leaves]);
      input.dispose();
      files.dispose();
    });
});

describe('a click on its way to a document that is withdrawn', function () {
  this.timeout(60_000);
  it('decides nothing in the one that is in its place', async () => {
    let time = 1000;
    const files = new MemoryFiles('mcp-workbench-late-click');
    const clock: KeyClock = { now: () => time, quietMs: 1000, whenDrawn: (then) => then() };
    const { input } = createInput(files, clock);
    const withdrawn = new AbortController();
    const ask = (name: string, signal?: AbortSignal) =>
      input.ask({
        permit: byUser(),
        name,
        text: name,
        choices: [{ id: 'allow', title: 'Allow' }],
        ...(signal && { signal }),
      });
    const shows = (name: string) =>
      until(
        vscode.window.onDidChangeActiveTextEditor,
        () => active()?.uri.scheme === files.scheme && active()?.getText() === name,
      );
    const below = ask('below.txt');
    await shows('below.txt');
    const uri = active()?.uri;
    const above = ask('above.txt', withdrawn.signal);
    await shows('above.txt');
    let taken: string | undefined;
    void below.then(({ choice }) => (taken = choice));
    const click = () => input.choose(byUser(), uri, () => true);
    withdrawn.abort();
    assert.equal((await above).choice, undefined);
    await click();
    time += 999;
    await click();
    assert.equal(taken, undefined);
    time += 1;
    await click();
    assert.equal((await below).choice, 'allow');
    input.dispose();
    files.dispose();
  });
});

describe('a document that leads to a comparison', () => {
  for (const [what, compare, shown] of [
    ['itself with a file beside it', true, 'all.txt'],
    ['of two files beside it', 'now.txt', 'now.txt'],
  ] as const)
    it(`opens that: ${what}`, async () => {
      const files = new MemoryFiles(`mcp-workbench-compared-${shown.slice(0, 3)}`);
      const { input } = createInput(files, promptKeys);
      const withdrawn = new AbortController();
      const answer = input.ask({
        permit: byUser(),
        name: 'all.txt',
        text: 'c',
        files: [
          { name: 'before.txt', content: 'a' },
          { name: 'now.txt', content: 'b' },
        ],
        links: [{ line: 0, title: 'Show Changes', target: 'before.txt', compare }],
        choices: [],
        signal: withdrawn.signal,
      });
      await until(
        vscode.window.onDidChangeActiveTextEditor,
        () => active()?.uri.scheme === files.scheme,
      );
      const lenses = await executeCommand<vscode.CodeLens[]>(
        'vscode.executeCodeLensProvider',
        active()?.uri,
      );
      const { command = '', arguments: given = [] } = lenses[0]?.command ?? {};
      await executeCommand(command, ...(given as unknown[]));
      const { activeTab } = vscode.window.tabGroups.activeTabGroup;
      assert.ok(activeTab?.input instanceof vscode.TabInputTextDiff);
      const { original, modified } = activeTab.input;
      assert.deepEqual([original.path, modified.path], ['/before.txt', `/${shown}`]);
      withdrawn.abort();
      await answer;
      input.dispose();
      files.dispose();
    });
});

describe('a file that is kept in memory', () => {
  it('is read by previews, which name the version that they show in its address', async () => {
    const files = new MemoryFiles('mcp-workbench-versions');
    const uri = files.createFolder('result').addBytes('a.png', new Uint8Array([1, 2, 3]));
    const shown = uri.with({ query: 'version=1' });
    const { fs } = vscode.workspace;
    assert.deepEqual([...(await fs.readFile(shown))], [1, 2, 3]);
    assert.equal((await fs.stat(shown)).size, 3);
    files.dispose();
  });
});

describe('a document with more choices than buttons', () => {
  const { showQuickPick } = vscode.window;

  afterEach(() => {
    Object.assign(vscode.window, { showQuickPick });
  });

  for (const [what, taken, expected] of [
    ['ends with one that is taken from their list', 'Decline', 'decline'],
    ['stays where none is taken', 'Back to the Document', undefined],
  ] as const)
    it(what, async () => {
      const shown: string[] = [];
      const pick = (rows: readonly vscode.QuickPickItem[]) => {
        shown.push(...rows.map(({ label }) => label));
        return Promise.resolve(rows.find(({ label }) => label === taken));
      };
      Object.assign(vscode.window, { showQuickPick: pick });
      const files = new MemoryFiles(`mcp-workbench-choices-${String(expected)}`);
      const { input } = createInput(files, promptKeys);
      const withdrawn = new AbortController();
      const answer = input.ask({
        permit: byUser(),
        name: 'choices.txt',
        text: 'a',
        signal: withdrawn.signal,
        choices: [
          { id: 'send', title: 'Send' },
          { id: 'back', title: 'Back to the Steps' },
          { id: 'decline', title: '$(circle-slash) Decline' },
          { id: 'named', title: 'Named', command: 'named' },
        ],
      });
      await until(
        vscode.window.onDidChangeActiveTextEditor,
        () => active()?.uri.scheme === files.scheme,
      );
      await input.offerChoices(byUser(), undefined);
      assert.deepEqual(shown, ['Back to the Document', 'Back to the Steps', 'Decline']);
      // A question that is still open is withdrawn.
      withdrawn.abort();
      assert.equal((await answer).choice, expected);
      input.dispose();
      files.dispose();
    });
});

describe('a document that is closed', () => {
  let runs = 0;

  /** Waits until the editor has saved everything in these files and has closed all of their tabs. */
  const untilSaved = async (files: MemoryFiles) => {
    await poll('no document that is not saved', 10_000, () =>
      Promise.resolve(
        vscode.workspace.textDocuments.some(
          ({ uri, isDirty }) => uri.scheme === files.scheme && isDirty,
        )
          ? undefined
          : true,
      ),
    );
    const tabs = vscode.window.tabGroups.all.flatMap((group) => group.tabs);
    const isOurs = ({ input }: vscode.Tab) =>
      input instanceof vscode.TabInputText && input.uri.scheme === files.scheme;
    assert.deepEqual(tabs.filter(isOurs), []);
  };

  const cases = [0, 300, 700].flatMap((pauseMs) => [
    { pauseMs, behind: undefined, where: '' },
    { pauseMs, behind: 'kept', where: ', and another document comes to the front' },
  ]);
  for (const { pauseMs, behind, where } of cases)
    it(`${pauseMs} ms after something was typed${where} has all that was typed, and leaves nothing behind`, async () => {
      const files = new MemoryFiles(`mcp-workbench-closed-${(runs += 1)}`);
      const { input } = createInput(files, promptKeys);
      if (behind !== undefined) {
        const kept = await vscode.workspace.openTextDocument({ content: behind });
        await vscode.window.showTextDocument(kept, { preview: false });
      }
      const answer = input.ask({ permit: byUser(), name: 'closed.txt', text: 'a', choices: [] });
      const isThere = () => active()?.uri.scheme === files.scheme;
      await until(vscode.window.onDidChangeActiveTextEditor, isThere);
      const document = active();
      await executeCommand('type', { text: 'typed ' });
      await until(vscode.workspace.onDidChangeTextDocument, () =>
        Boolean(document?.getText().startsWith('typed')),
      );
      // The editor saves automatically a second after the last keystroke.
      await delay(pauseMs);
      await executeCommand('workbench.action.closeActiveEditor');
      assert.deepEqual(await answer, { choice: undefined, text: 'typed a' });
      await untilSaved(files);
      input.dispose();
      files.dispose();
    });

  it('because its question was withdrawn has all that was typed, and leaves nothing behind', async () => {
    const files = new MemoryFiles('mcp-workbench-withdrawn');
    const { input } = createInput(files, promptKeys);
    const withdrawn = new AbortController();
    const answer = input.ask({
      permit: byUser(),
      name: 'withdrawn.txt',
      text: 'a',
      choices: [],
      signal: withdrawn.signal,
    });
    await until(
      vscode.window.onDidChangeActiveTextEditor,
      () => active()?.uri.scheme === files.scheme,
    );
    await executeCommand('type', { text: 'typed ' });
    await poll('what is typed', 10_000, () =>
      Promise.resolve(active()?.getText() === 'typed a' || undefined),
    );
    withdrawn.abort();
    assert.deepEqual(await answer, { choice: undefined, text: 'typed a' });
    await untilSaved(files);
    input.dispose();
    files.dispose();
  });

  it('stays while the user types in it although its question was withdrawn', async () => {
    const files = new MemoryFiles('mcp-workbench-typed');
    const { input } = createInput(files, { ...promptKeys, now: Date.now, quietMs: 500 });
    const withdrawn = new AbortController();
    const own = await vscode.workspace.openTextDocument({ content: 'mine' });
    await vscode.window.showTextDocument(own);
    const question = { permit: byUser(), name: 'typed.txt', text: 'a', choices: [] };
    const answer = input.ask({ ...question, signal: withdrawn.signal });
    await until(
      vscode.window.onDidChangeActiveTextEditor,
      () => active()?.uri.scheme === files.scheme,
    );
    await executeCommand('type', { text: 'b' });
    await poll('a letter', 10_000, () =>
      Promise.resolve(active()?.getText() === 'ba' || undefined),
    );
    withdrawn.abort();
    for (const letter of 'efore ') await executeCommand('type', { text: letter });
    assert.deepEqual(await answer, { choice: undefined, text: 'before a' });
    assert.equal(own.getText(), 'mine');
    await untilSaved(files);
    input.dispose();
    files.dispose();
  });

  it('has given its text to who keeps it whenever it was saved', async () => {
    const files = new MemoryFiles('mcp-workbench-saved');
    const { input } = createInput(files, promptKeys);
    const saved: string[] = [];
    const onSave = (text: string) => void saved.push(text);
    const answer = input.ask({
      permit: byUser(),
      name: 'saved.txt',
      text: 'a',
      choices: [],
      onSave,
    });
    await until(
      vscode.window.onDidChangeActiveTextEditor,
      () => active()?.uri.scheme === files.scheme,
    );
    await executeCommand('type', { text: 'kept ' });
    await executeCommand('workbench.action.files.save');
    await poll('the text', 10_000, () => Promise.resolve(saved.at(-1) === 'kept a' || undefined));
    await executeCommand('workbench.action.closeActiveEditor');
    await answer;
    input.dispose();
    files.dispose();
  });

  it('can still be saved by the editor, which may do that later than anybody looks', async () => {
    const files = new MemoryFiles('mcp-workbench-late');
    const { input } = createInput(files, promptKeys);
    const answer = input.ask({ permit: byUser(), name: 'late.txt', text: 'a', choices: [] });
    await until(
      vscode.window.onDidChangeActiveTextEditor,
      () => active()?.uri.scheme === files.scheme,
    );
    const document = active();
    assert.ok(document);
    await executeCommand('workbench.action.closeActiveEditor');
    await answer;
    const edit = new vscode.WorkspaceEdit();
    edit.insert(document.uri, new vscode.Position(0, 0), 'late ');
    assert.ok(await vscode.workspace.applyEdit(edit));
    assert.ok(document.isDirty);
    await untilSaved(files);
    input.dispose();
    files.dispose();
  });
});

describe('the key for the first choice of a document', () => {
  it('counts from a second after the document has the keyboard on, and loses nothing before', async () => {
    const clock = { now: 0 };
    let drawn: (() => void) | undefined;
    const files = new MemoryFiles('mcp-workbench-early');
    const { input, press } = createInput(files, {
      now: () => clock.now,
      quietMs: 1000,
      whenDrawn: (then) => (drawn = then),
    });
    const [byCommand] = Object.values(choiceCommands(input, ['use']));
    let presses = 0;
    const answer = input.ask({
      permit: byUser(),
      name: 'early.txt',
      text: 'a',
      choices: [{ id: 'use', title: 'Use', command: 'use' }],
      check: () => {
        presses += 1;
        return undefined;
      },
    });
    await until(
      vscode.window.onDidChangeActiveTextEditor,
      () => active()?.uri.scheme === files.scheme,
    );
    const document = active();
    await executeCommand('type', { text: 'b' });
    await until(vscode.workspace.onDidChangeTextDocument, () => document?.getText() === 'ba');
    for (const [at, isDrawn] of [
      [0, false],
      [5000, false],
      [5000, true],
      [5999, true],
    ] as const) {
      clock.now = at;
      if (isDrawn && at === 5000) drawn?.();
      await press();
      await byCommand?.(byUser());
      assert.equal(presses, 0, `at ${at}`);
      assert.equal(document?.getText(), 'ba');
    }
    clock.now = 6000;
    await press();
    const { choice, text } = await answer;
    assert.deepEqual([choice, text], ['use', 'ba']);
    input.dispose();
    files.dispose();
  });
});
