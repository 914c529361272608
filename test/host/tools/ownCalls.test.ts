import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { WorkbenchApi } from '../../../src/api';
import { activateWorkbench, serverNamed } from '../../support/host/hostApi';
import { watchPicks, type ShownPick, type WatchedPicks } from '../../support/host/shownPicks';
import { poll } from '../../support/poll';
import { fakeServer, tool } from '../../support/fakes/fakeServer';
import { acceptUntil, invoke, textOf } from '../../support/host/toolsSteps';

const { executeCommand } = vscode.commands;

/** Runs a tool of the demo server, like the user from its row. */
const runTool = (name: string, args: object = {}): Thenable<unknown> =>
  executeCommand('mcpWorkbench.runTool', { server: 'demo', tool: name, arguments: args });

/** Waits for the document that asks for arguments. */
const askedDocument = () =>
  poll('the document of the arguments', 20_000, () => {
    const document = vscode.window.activeTextEditor?.document;
    const isAsked = document?.uri.scheme === 'mcp-workbench-input';
    return Promise.resolve(isAsked ? document : undefined);
  });

const replaceIn = async (document: vscode.TextDocument, text: string, by: string) => {
  const at = document.getText().indexOf(text);
  assert.ok(at >= 0, text);
  const edit = new vscode.WorkspaceEdit();
  const range = new vscode.Range(document.positionAt(at), document.positionAt(at + text.length));
  edit.replace(document.uri, range, by);
  await vscode.workspace.applyEdit(edit);
};

/** Returns the description of a value in each row that offers it. */
const notesOf = ({ pick }: ShownPick, value: string) =>
  pick.items.filter(({ label }) => label === value).map(({ description }) => description);

const openText = () => vscode.window.activeTextEditor?.document.getText();

describe('calls of one’s own', function () {
  this.timeout(60_000);
  let picks: WatchedPicks;
  let api: WorkbenchApi;

  before(async () => {
    api = await activateWorkbench();
    await api.startServer('demo');
  });
  beforeEach(() => {
    picks = watchPicks();
  });
  afterEach(async () => {
    picks.dispose();
    await executeCommand('workbench.action.closeAllEditors');
  });

  it('run with Enter alone, though Enter denies those of a model', async () => {
    await acceptUntil(runTool('calculate', { operation: 'multiply', x: 6, y: 7 }));
    assert.equal(openText(), '42.00');
  });

  it('show their results beside a resource in view, which goes on to follow its server', async () => {
    const resource = { serverId: serverNamed(api, 'demo').id, uri: 'docs://readme' };
    await executeCommand('mcpWorkbench.openResource', resource);
    const isPreview = () => vscode.window.tabGroups.activeTabGroup.activeTab?.isPreview;
    await poll('the resource', 20_000, () => Promise.resolve(isPreview()));
    await acceptUntil(runTool('calculate', { operation: 'multiply', x: 6, y: 7 }));
    assert.equal(openText(), '42.00');
    await acceptUntil(runTool('calculate', { operation: 'multiply', x: 6, y: 8 }));
    const labels = vscode.window.tabGroups.activeTabGroup.tabs.map(({ label }) => label);
    assert.equal(labels.length, 2, labels.join());
    assert.match(labels.join(), /readme/);
  });

  it('are made again from their result, as they were or with other arguments, and lead to their call', async () => {
    await acceptUntil(runTool('calculate', { operation: 'multiply', x: 6, y: 7 }));
    const uri = vscode.window.activeTextEditor?.document.uri;
    assert.ok(uri);
    const lenses = (of: vscode.Uri) =>
      executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', of);
    const commands = async (of: vscode.Uri) =>
      (await lenses(of)).map(({ command }) => command?.command);
    const all = [
      'mcpWorkbench.runToolAgain',
      'mcpWorkbench.runToolAgainWith',
      'mcpWorkbench.saveAsTest',
      'mcpWorkbench.showCallOfResult',
      'editor.action.toggleWordWrap',
    ];
    assert.deepEqual(await commands(uri), all);
    const titles = (await lenses(uri)).map(({ command }) => command?.title);
    assert.ok(titles.includes('About demo › calculate'), titles.join());
    const document = vscode.window.activeTextEditor?.document;
    assert.equal(vscode.workspace.getConfiguration('editor', document).get('wordWrap'), 'on');

    const again = executeCommand('mcpWorkbench.runToolAgain', uri);
    (await picks.next(/^demo › /)).choose('Run');
    await again;
    assert.equal(openText(), '42.00');
    const second = vscode.window.activeTextEditor?.document.uri;
    assert.notEqual(second?.toString(), uri.toString());

    const other = executeCommand('mcpWorkbench.runToolAgainWith', uri);
    (await picks.next(/operation/)).choose('add');
    (await picks.next(/: x/)).accept();
    (await picks.next(/: y/)).accept();
    (await picks.next(/^demo › /)).choose('Run');
    await other;
    assert.equal(openText(), '13.00');

    await executeCommand('mcpWorkbench.showCallOfResult', uri);
    const call = vscode.window.activeTextEditor?.document;
    const { decision, ...about } = JSON.parse(call?.getText() ?? '') as Record<string, unknown>;
    const args = { operation: 'multiply', x: 6, y: 7 };
    assert.deepEqual(about, { server: 'demo', tool: 'calculate', arguments: args });
    assert.match(String(decision), /^allowed by you · .*\d/);
    const ofCall = all.filter((one) => one !== 'mcpWorkbench.showCallOfResult');
    assert.deepEqual(await commands(call?.uri ?? uri), ofCall);
  });

  it('say first that the server crashed, lead to its log, and are made again as they were', async () => {
    const { showErrorMessage } = vscode.window;
    const told: (readonly string[])[] = [];
    const choices = ['Run Again', 'Show Log'];
    vscode.window.showErrorMessage = (message: string, ...buttons: unknown[]) => {
      told.push([message, ...buttons.map(String)]);
      return Promise.resolve(choices.shift()) as Thenable<undefined>;
    };
    try {
      const ran = runTool('crash', { code: 3 });
      (await picks.next(/: code$/)).accept();
      (await picks.next(/^demo › /)).choose('Run');
      const again = await picks.next(/^demo › /);
      again.escape();
      const form = await picks.next(/: code$/);
      assert.equal(form.pick.value, '3');
      form.accept();
      (await picks.next(/^demo › /)).choose('Run');
      await ran;
      await poll('the second failure', 20_000, () =>
        Promise.resolve(told.length === 2 ? true : undefined),
      );
    } finally {
      vscode.window.showErrorMessage = showErrorMessage;
      await executeCommand('workbench.action.closePanel');
    }
    const message =
      'crash failed: The server exited with code 3: demo server: crash was called. "demo" had been asked to call the tool "crash".';
    assert.deepEqual(
      told,
      [1, 2].map(() => [message, 'Run Again', 'Show Log']),
    );
  });

  it('leave the keyboard to the editor in which the user works when their result comes', async () => {
    const own = await vscode.workspace.openTextDocument({ content: '' });
    const ran = runTool('long_task', { durationMs: 3000, steps: 1 });
    (await picks.next(/durationMs/)).accept();
    (await picks.next(/steps/)).accept();
    (await picks.next(/^demo › /)).choose('Run');
    await vscode.window.showTextDocument(own);
    await executeCommand('type', { text: 'mine' });
    await ran;
    // An editor may be seen before its text has come.
    const shown = await poll('the result', 20_000, () =>
      Promise.resolve(
        vscode.window.visibleTextEditors
          .map(({ document }) => document.getText())
          .find((text) => text !== '' && text !== 'mine'),
      ),
    );
    assert.equal(shown, 'Done after 1 steps');
    assert.equal(vscode.window.activeTextEditor?.document, own);
    assert.equal(own.getText(), 'mine');
    await executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('show a result in the place of one that is only read, however long it took', async () => {
    const show = async () => {
      const ran = runTool('long_task', { durationMs: 3000, steps: 1 });
      (await picks.next(/durationMs/)).accept();
      (await picks.next(/steps/)).accept();
      (await picks.next(/^demo › /)).choose('Run');
      await ran;
    };
    await show();
    const first = vscode.window.activeTextEditor?.document;
    await show();
    await poll('the second result', 20_000, () =>
      Promise.resolve(vscode.window.activeTextEditor?.document === first ? undefined : true),
    );
    assert.equal(vscode.window.tabGroups.all.length, 1);
    assert.equal(openText(), 'Done after 1 steps');
  });

  it('lead back to the form from the question, with what was filled in', async () => {
    const ran = runTool('calculate', { operation: 'add', x: 1, y: 2 });
    (await picks.next(/: operation$/)).accept();
    (await picks.next(/: x$/)).accept();
    await (await picks.next(/: y$/)).enter('5');
    (await picks.next(/^demo › /)).escape();
    const y = await picks.next(/: y$/);
    assert.equal(y.pick.value, '5');
    y.back();
    const x = await picks.next(/: x$/);
    assert.equal(x.pick.value, '1');
    await x.enter('10');
    (await picks.next(/: y$/)).accept();
    (await picks.next(/^demo › /)).choose('Run');
    await ran;
    assert.equal(openText(), '15.00');
  });

  it('lead back to the step where the rest was skipped', async () => {
    const args = { text: 'ab', count: 7, flag: true, color: 'green', days: ['sun'] };
    const ran = runTool('all_types', args);
    (await picks.next(/: Text$/)).accept();
    (await picks.next(/: email$/)).choose('Skip the Rest and Run (4 filled in earlier)');
    (await picks.next(/^demo › /)).escape();
    (await picks.next(/: email$/)).escape();
    await ran;
    assert.deepEqual(picks.open, []);
  });

  it('of a row that is clicked twice are asked about once', async () => {
    const inputSchema = { type: 'object', properties: { a: { type: 'string' } } };
    const clicked = tool({ name: 'clicked', inputSchema });
    const row = { parent: {}, server: fakeServer({ tools: [clicked] }), tool: clicked };
    const both = [row, row].map((node) => executeCommand('mcpWorkbench.runTool', node));
    const form = await picks.next(/^clicked .*: a$/);
    assert.equal(picks.open.length, 1);
    form.escape();
    await Promise.all(both);
    assert.deepEqual(picks.open, []);
    const again = executeCommand('mcpWorkbench.runTool', row);
    (await picks.next(/^clicked .*: a$/)).escape();
    await again;
  });

  it('of a tool without arguments end with Escape', async () => {
    const ran = runTool('cancelled_count');
    const question = await picks.next(/^demo › /);
    assert.equal(question.pick.prompt, 'Run cancelled_count?');
    assert.equal(question.pick.placeholder, 'Enter runs it, Escape cancels.');
    assert.ok(!question.pick.buttons.includes(vscode.QuickInputButtons.Back));
    question.escape();
    await ran;
    assert.deepEqual(picks.open, []);
  });

  it('offer what was chosen the last time first, and before a default', async () => {
    const args = { text: 'ab', count: 7, flag: true, color: 'green', days: ['sun'] };
    const first = runTool('all_types', args);
    (await picks.next(/: Text$/)).accept();
    (await picks.next(/: email$/)).choose('Skip the Rest and Run (4 filled in earlier)');
    (await picks.next(/^demo › /)).choose('Run');
    await first;
    const again = runTool('all_types', { text: 'ab' });
    (await picks.next(/: Text$/)).accept();
    (await picks.next(/: email$/)).accept();
    (await picks.next(/: date$/)).accept();
    const count = await picks.next(/: count$/);
    assert.deepEqual(notesOf(count, '7'), ['last time']);
    count.accept();
    (await picks.next(/: ratio$/)).accept();
    for (const [title, label] of [
      [/: flag$/, 'true'],
      [/: color$/, 'green'],
    ] as const) {
      const step = await picks.next(title);
      assert.equal(step.labels[0], label);
      assert.deepEqual(
        step.pick.activeItems.map((row) => [row.label, row.description]),
        [[label, 'last time']],
      );
      step.accept();
    }
    (await picks.next(/: size$/)).accept();
    const days = await picks.next(/: days$/);
    assert.deepEqual(
      days.pick.selectedItems.map((row) => [row.label, row.description]),
      [['sun', 'last time']],
    );
    days.press('Skip the Rest and Run');
    (await picks.next(/^demo › /)).choose('Run');
    await again;
    assert.deepEqual(JSON.parse(openText() ?? ''), args);
  });

  it('begin with the arguments of the last call made, and keep what was filled in until then', async () => {
    const made = runTool('calculate', { operation: 'add', x: 1, y: 2 });
    (await picks.next(/: operation$/)).choose('add');
    (await picks.next(/: x$/)).accept();
    (await picks.next(/: y$/)).accept();
    (await picks.next(/^demo › /)).choose('Run');
    await made;
    const left = runTool('calculate');
    (await picks.next(/: operation$/)).choose('multiply');
    const typed = await picks.next(/: x$/);
    await typed.type('8');
    assert.deepEqual(notesOf(typed, '8'), ['as typed']);
    typed.accept();
    await (await picks.next(/: y$/)).enter('9');
    (await picks.next(/^demo › /)).escape();
    (await picks.next(/: y$/)).escape();
    await left;
    const again = runTool('calculate');
    const operation = await picks.next(/: operation$/);
    assert.deepEqual(operation.pick.items.map((row) => [row.label, row.description]).slice(0, 2), [
      ['add', 'last time'],
      ['subtract', ''],
    ]);
    assert.deepEqual(
      operation.pick.activeItems.map(({ label }) => label),
      ['multiply'],
    );
    operation.accept();
    const x = await picks.next(/: x$/);
    assert.equal(x.pick.value, '8');
    assert.deepEqual(notesOf(x, '8'), ['']);
    const last = x.pick.items.filter(({ description }) => description === 'last time');
    assert.deepEqual(
      last.map(({ label }) => label),
      ['1'],
    );
    x.accept();
    (await picks.next(/: y$/)).accept();
    (await picks.next(/^demo › /)).choose('Run');
    await again;
    assert.equal(openText(), '72.00');
  });

  it('have no operation chosen where one is required', async () => {
    const properties = { operation: { enum: ['add', 'multiply'] } };
    const inputSchema = { type: 'object', properties, required: ['operation'] };
    const chosen = tool({ name: 'chosen', inputSchema });
    const row = { parent: {}, server: fakeServer({ tools: [chosen] }), tool: chosen };
    const ran = executeCommand('mcpWorkbench.runTool', row);
    const step = await picks.next(/: operation$/);
    assert.equal(step.pick.prompt, 'operation (required)');
    assert.deepEqual(step.labels, ['add', 'multiply']);
    assert.deepEqual(step.pick.activeItems, []);
    step.accept();
    await step.says(/^"operation" is required\. Choose a value\.$/);
    step.escape();
    await ran;
  });

  it('have an icon on each row that stands for no value, in every kind of step', async () => {
    const options = { enum: ['a', 'b'] };
    const properties = { one: options, two: options, three: options, four: { type: 'string' } };
    const inputSchema = { type: 'object', properties, required: ['one'] };
    const iconic = tool({ name: 'iconic', inputSchema });
    const row = { parent: {}, server: fakeServer({ tools: [iconic] }), tool: iconic };
    const ran = executeCommand('mcpWorkbench.runTool', row);
    const iconsOf = ({ pick }: ShownPick) =>
      Object.fromEntries(
        pick.items.map(({ label, iconPath }) => [label, (iconPath as vscode.ThemeIcon)?.id]),
      );
    const required = await picks.next(/: one$/);
    assert.deepEqual(iconsOf(required), { a: undefined, b: undefined });
    required.choose('a');
    const none = { Skip: 'circle-slash', 'Skip the Rest and Run': 'run-all' };
    const optional = await picks.next(/: two$/);
    assert.deepEqual(iconsOf(optional), { a: undefined, b: undefined, ...none });
    optional.escape();
    await ran;
  });

  for (const [property, said] of [
    [{ type: 'string', format: 'uri' }, 'a URI like https://example.com/path'],
    [{ type: 'string', format: 'date' }, 'a date like 2026-01-31'],
    [{ type: 'string', format: 'colour' }, 'of the format "colour"'],
    [{ type: 'integer', minimum: 1, maximum: 9 }, 'a whole number (1…9)'],
    [{ type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1 }, 'choose at least 1'],
    [
      { type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 },
      'choose 1 to 2',
    ],
    [{ type: 'array', items: { enum: ['a', 'b', 'c'] }, minItems: 2, maxItems: 2 }, 'choose 2'],
    [{ type: 'array', items: { enum: ['a', 'b', 'c'] } }, ''],
  ] as const)
    it(`say in words what a value is: ${said || 'nothing where anything is'}`, async () => {
      const inputSchema = { type: 'object', properties: { it: property } };
      const asking = tool({ name: 'asking', inputSchema });
      const row = { parent: {}, server: fakeServer({ tools: [asking] }), tool: asking };
      const ran = executeCommand('mcpWorkbench.runTool', row);
      const step = await picks.next(/^asking .*: it$/);
      assert.equal(step.pick.prompt, ['it (optional)', said].filter(Boolean).join(' · '));
      step.escape();
      await ran;
    });

  it('of a tool that declares no arguments take them as JSON', async () => {
    const ran = runTool('echo');
    const document = await askedDocument();
    const edit = new vscode.WorkspaceEdit();
    edit.replace(document.uri, new vscode.Range(0, 0, document.lineCount, 0), '{ "free": [1] }');
    await vscode.workspace.applyEdit(edit);
    await executeCommand('mcpWorkbench.answerDocument', document.uri, 'done');
    (await picks.next(/^demo › /)).choose('Run');
    await ran;
    assert.deepEqual(JSON.parse(openText() ?? ''), { free: [1] });
  });

  it('leave out the optional arguments with one row, up to a required one, and to the end', async () => {
    const ran = runTool('all_types', { text: 'ab' });
    (await picks.next(/: Text$/)).accept();
    (await picks.next(/: email$/)).choose('Skip to the Next Required Value');
    (await picks.next(/: color$/)).choose('green');
    (await picks.next(/: size$/)).choose('Skip the Rest and Run');
    (await picks.next(/^demo › /)).choose('Run');
    await ran;
    const expected = { text: 'ab', count: 3, flag: false, color: 'green' };
    assert.deepEqual(JSON.parse(openText() ?? ''), expected);
  });

  it('leave out what is skipped, whatever was chosen before or is the default, in the order of the schema', async () => {
    const size = { enum: ['small', 'large'], default: 'small' };
    const inputSchema = {
      type: 'object',
      properties: { color: { enum: ['red', 'green'] }, size, note: { type: 'string' } },
    };
    const asking = tool({ name: 'skipping', inputSchema });
    const row = { parent: {}, server: fakeServer({ tools: [asking] }), tool: asking };
    const steps = async (...choices: readonly string[]) => {
      const ran = executeCommand('mcpWorkbench.runTool', row);
      for (const [at, name] of ['color', 'size'].entries())
        (await picks.next(new RegExp(`: ${name}$`))).choose(choices[at] ?? '');
      await (await picks.next(/: note$/)).enter('n');
      const question = await picks.next(/ › /);
      const shown = question.labels.filter((label) => /^(?:color|size|note): /.test(label));
      question.escape();
      (await picks.next(/: note$/)).escape();
      await ran;
      return shown;
    };
    assert.deepEqual(await steps('green', 'small'), [
      'color: "green"',
      'size: "small"',
      'note: "n"',
    ]);
    assert.deepEqual(await steps('Skip', 'Skip'), ['note: "n"']);
  });

  it('say at its step what is not in the format that was named, and take it with a second Enter', async () => {
    const properties = { mail: { type: 'string', format: 'email' }, note: { type: 'string' } };
    const inputSchema = { type: 'object', properties, required: ['mail'] };
    const mailing = tool({ name: 'mailing', inputSchema });
    const row = { parent: {}, server: fakeServer({ tools: [mailing] }), tool: mailing };
    const ran = executeCommand('mcpWorkbench.runTool', row);
    const said = /^Not an email address\. Correct it, or press Enter again to use it as it is\.$/;
    const mail = await picks.next(/: mail$/);
    await mail.enter('nobody');
    await mail.says(said);
    // A different text has to be confirmed again.
    await mail.type('nomail');
    await mail.says(/\) · an email address$/);
    mail.accept();
    await mail.says(said);
    mail.accept();
    const note = await picks.next(/: note$/);
    note.back();
    const again = await picks.next(/: mail$/);
    await again.enter('ada@example.com');
    (await picks.next(/: note$/)).escape();
    await ran;
    assert.deepEqual(picks.open, []);
  });

  it('refuse a day that is not there', async () => {
    const ran = runTool('all_types', { text: 'ab', color: 'red' });
    (await picks.next(/: Text$/)).accept();
    (await picks.next(/: email$/)).accept();
    const date = await picks.next(/: date$/);
    await date.enter('2000-02-31');
    await date.says(/not a date like/i);
    date.escape();
    await ran;
  });

  it('refuse a day that is not there in their document, too', async () => {
    const told: string[] = [];
    const { showErrorMessage } = vscode.window;
    vscode.window.showErrorMessage = (message: string) => Promise.resolve(void told.push(message));
    try {
      const ran = runTool('all_types', { text: 'ab', color: 'red', date: '2000-02-31' });
      (await picks.next(/: Text$/)).press('Edit All Values as JSON');
      const document = await askedDocument();
      await executeCommand('mcpWorkbench.answerDocument', document.uri, 'done');
      assert.match(told.join(), /not a date like/i);
      await replaceIn(document, '2000-02-31', '2000-02-29');
      await executeCommand('mcpWorkbench.answerDocument', document.uri, 'done');
      (await picks.next(/^demo › /)).choose('Run');
      await ran;
    } finally {
      vscode.window.showErrorMessage = showErrorMessage;
    }
    assert.match(openText() ?? '', /2000-02-29/);
  });

  it('refuse a number in their documents that would be sent as another', async () => {
    const told: string[] = [];
    const { showErrorMessage } = vscode.window;
    vscode.window.showErrorMessage = (message: string) => Promise.resolve(void told.push(message));
    const refuses = async (before: string, choice: string, after: string) => {
      const document = await askedDocument();
      await replaceIn(document, `"x": ${before}`, '"x": 9007199254740993');
      await executeCommand('mcpWorkbench.answerDocument', document.uri, choice);
      assert.match(told.splice(0).join(), /would arrive as 9007199254740992\./);
      await replaceIn(document, '"x": 9007199254740993', `"x": ${after}`);
      await executeCommand('mcpWorkbench.answerDocument', document.uri, choice);
    };
    try {
      const ran = runTool('calculate', { operation: 'add', x: 2, y: 3 });
      (await picks.next(/: operation$/)).press('Edit All Values as JSON');
      await refuses('2', 'done', '4');
      (await picks.next(/^demo › /)).choose('Edit Arguments…');
      await refuses('4', 'once', '5');
      await ran;
    } finally {
      vscode.window.showErrorMessage = showErrorMessage;
    }
    assert.equal(openText(), '8.00');
  });

  it('keep a document that cannot be read yet until the next call of the tool', async () => {
    const args = { operation: 'add', x: 2, y: 3 };
    const ran = runTool('calculate', args);
    (await picks.next(/: operation$/)).press('Edit All Values as JSON');
    const document = await askedDocument();
    await replaceIn(document, '"add"', '"add", "note": "half-writ');
    await document.save();
    await executeCommand('workbench.action.closeActiveEditor');
    await ran;
    const left = runTool('calculate', args);
    (await picks.next(/: operation$/)).escape();
    await left;
    const again = runTool('calculate', args);
    (await picks.next(/: operation$/)).press('Edit All Values as JSON');
    const kept = await askedDocument();
    await replaceIn(kept, ', "note": "half-writ', '');
    await executeCommand('mcpWorkbench.answerDocument', kept.uri, 'done');
    (await picks.next(/^demo › /)).choose('Run');
    await again;
    assert.equal(openText(), '5.00');
    await executeCommand('workbench.action.closeAllEditors');
    const last = runTool('calculate', args);
    (await picks.next(/: operation$/)).press('Edit All Values as JSON');
    assert.doesNotMatch((await askedDocument()).getText(), /half-writ/);
    await executeCommand('workbench.action.closeActiveEditor');
    await last;
  });

  it('of the log ask for what it does not keep, also where the rest is left out', async () => {
    const id = serverNamed(await activateWorkbench(), 'demo').id;
    const value = { text: 'ab', color: 'red', api_key: '‹redacted›' };
    const begun = { server: { id, name: 'demo' }, tool: 'all_types', arguments: { value } };
    const ran = executeCommand('mcpWorkbench.replayToolCall', { begun });
    (await picks.next(/: Text$/)).accept();
    (await picks.next(/: email$/)).choose('Skip to the Next Required Value');
    const key = await picks.next(/: api_key$/);
    await key.says(/\) · The earlier call had a value that was not kept · Looks like a secret/);
    await key.enter('key');
    (await picks.next(/^demo › /)).choose('Run');
    await ran;
    assert.deepEqual(JSON.parse(openText() ?? ''), { ...value, api_key: 'key' });
  });

  it('of the log are made again with its arguments alone, without defaults', async () => {
    const id = serverNamed(await activateWorkbench(), 'demo').id;
    const value = { text: 'ab', color: 'red' };
    const begun = { server: { id, name: 'demo' }, tool: 'all_types', arguments: { value } };
    const ran = executeCommand('mcpWorkbench.replayToolCall', { begun });
    (await picks.next(/: Text$/)).accept();
    (await picks.next(/: email$/)).choose('Skip the Rest and Run (1 filled in earlier)');
    (await picks.next(/^demo › /)).choose('Run');
    await ran;
    assert.deepEqual(JSON.parse(openText() ?? ''), value);
  });

  it('of the log get nothing of the last call of the tool by Enter', async () => {
    const ran = runTool('calculate', { operation: 'add', x: 2, y: 3 });
    await acceptUntil(ran);
    const id = serverNamed(await activateWorkbench(), 'demo').id;
    const begun = { server: { id, name: 'demo' }, tool: 'calculate', arguments: { value: {} } };
    const again = executeCommand('mcpWorkbench.replayToolCall', { begun });
    const form = await picks.next(/: operation$/);
    const notes = form.pick.items.map(({ description }) => description ?? '');
    assert.doesNotMatch(notes.join(), /last time/);
    form.escape();
    await again;
  });

  it('have in their document what was said last, there or in the steps', async () => {
    const properties = { first: { type: 'string' }, second: { type: 'string' } };
    const asking = tool({ name: 'left', inputSchema: { type: 'object', properties } });
    const row = { parent: {}, server: fakeServer({ tools: [asking] }), tool: asking };
    const document = async (typed?: string) => {
      const form = await picks.next(/: first$/);
      if (typed !== undefined) await form.type(typed);
      form.press('Edit All Values as JSON');
      return askedDocument();
    };
    const close = () => executeCommand('workbench.action.closeActiveEditor');
    const begun = executeCommand('mcpWorkbench.runTool', row);
    const begunIn = await document('one');
    await replaceIn(begunIn, '"one"', '"two" half-writ');
    await begunIn.save();
    await close();
    await begun;
    const left = executeCommand('mcpWorkbench.runTool', row);
    assert.match((await document()).getText(), /half-writ/);
    await close();
    await left;
    const changed = executeCommand('mcpWorkbench.runTool', row);
    const text = (await document('three')).getText();
    assert.match(text, /"first": "three"/);
    assert.doesNotMatch(text, /half-writ/);
    await close();
    await changed;
  });

  it('keep arguments that cannot be read yet when their document is closed', async () => {
    const args = { operation: 'add', x: 2, y: 3 };
    const called = invoke('callTool', { name: 'demo__calculate', arguments: args });
    (await picks.next(/^demo › /)).choose('Edit Arguments…');
    const document = await askedDocument();
    const edit = new vscode.WorkspaceEdit();
    const at = document.getText().indexOf('"operation"');
    edit.insert(document.uri, document.positionAt(at), '"note": "half-writ');
    await vscode.workspace.applyEdit(edit);
    await document.save();
    await executeCommand('workbench.action.closeActiveEditor');
    const question = await picks.next(/^demo › /);
    const row = question.pick.items.find(({ label }) => label === 'Edit Arguments…');
    assert.equal(row?.description, 'your unfinished text is kept');
    question.choose('Edit Arguments…');
    assert.match((await askedDocument()).getText(), /half-writ/);
    await executeCommand('workbench.action.closeActiveEditor');
    (await picks.next(/^demo › /)).choose('Deny');
    assert.match(textOf(await called), /denied by the user/);
  });
});
