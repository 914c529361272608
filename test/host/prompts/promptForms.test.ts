import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deferred } from '../../../src/base/async';
import { activateWorkbench, until } from '../../support/host/hostApi';
import { fakeServer } from '../../support/fakes/fakeServer';
import { poll } from '../../support/poll';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { promptServer, set } from './promptRuns';

const args = ['text', 'more'].map((name) => ({ name, required: true }));

const leaving = promptServer([{ name: 'left', arguments: args }]);

describe('the form of a prompt', function () {
  this.timeout(60_000);
  let picks: WatchedPicks;
  let api: Awaited<ReturnType<typeof activateWorkbench>>;
  const run = (prompt: object) => vscode.commands.executeCommand('mcpWorkbench.runPrompt', prompt);

  before(async () => (api = await activateWorkbench()));
  beforeEach(() => (picks = watchPicks()));
  afterEach(() => picks.dispose());
  after(() => set('servers', undefined));

  it('is opened once however often the row is clicked, and again afterwards', async () => {
    const prompt = { name: 'asking', arguments: args };
    const row = { parent: {}, server: fakeServer({ prompts: [prompt] }), prompt };
    for (let time = 1; time <= 2; time += 1) {
      const first = run(row);
      const form = await picks.next(/: text$/);
      await run(row);
      form.escape();
      await first;
      assert.deepEqual(picks.open, []);
    }
  });

  it('has in its document what was said last, there or in the steps', async () => {
    const prompt = { name: 'left', arguments: args };
    const row = { parent: {}, server: fakeServer({ prompts: [prompt] }), prompt };
    const document = async (typed?: string) => {
      const ran = run(row);
      const form = await picks.next(/: text$/);
      if (typed !== undefined) await form.type(typed);
      form.press('Edit All Arguments as JSON');
      const isShown = () =>
        vscode.window.activeTextEditor?.document.uri.scheme === 'mcp-workbench-input';
      await until(vscode.window.onDidChangeActiveTextEditor, isShown);
      const editor = vscode.window.activeTextEditor;
      assert.ok(editor);
      const text = editor.document.getText();
      return { editor, ran, text };
    };
    const leave = async (ran: Thenable<unknown>) => {
      await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
      await ran;
    };
    const first = await document('one');
    await first.editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'half-writ'));
    await leave(first.ran);
    const second = await document();
    assert.match(second.text, /half-writ/);
    await leave(second.ran);
    const third = await document('three');
    assert.match(third.text, /"text": "three"/);
    assert.doesNotMatch(third.text, /half-writ/);
    await leave(third.ran);
  });

  it('has what need not be given left out at once, and goes elsewhere from there', async () => {
    const names = ['text', 'a', 'b', 'c'];
    const prompt = {
      name: 'optional',
      arguments: names.map((name) => ({ name, required: name === 'text' })),
    };
    const server = fakeServer({ prompts: [prompt] });
    const asked = deferred<object>();
    Object.assign(server, {
      getPrompt: (_name: string, values: object) => {
        asked.resolve(values);
        return Promise.reject(AbortSignal.abort().reason as Error);
      },
    });
    const ran = run({ parent: {}, server, prompt });
    const first = await picks.next(/: text$/);
    await first.type('given');
    first.accept();
    const second = await picks.next(/: a$/);
    const buttons = second.pick.buttons.map(({ tooltip }) => tooltip);
    assert.ok(buttons.includes('Change Where the Messages Go…'), buttons.join());
    second.choose('Skip the Rest and Run');
    assert.deepEqual(await asked.promise, { text: 'given' });
    await ran;
  });

  for (const [what, button, tab] of [
    ['in its steps', undefined, ''],
    ['in its document', 'Edit All Arguments as JSON', 'left.json'],
    ['in an editor for one of them', 'Edit in an Editor', 'text.txt'],
  ] as const)
    it(`ends with its server, ${what}, and has what was typed when that comes back`, async () => {
      const isThere = () => api.servers.some(({ name }) => name === 'leaving');
      const begin = async () => {
        const launch = { type: 'stdio', command: 'node', args: ['-e', leaving] };
        await set('servers', { leaving: launch });
        await until(api.onDidChangeServers, isThere);
        const ran = run({ server: 'leaving', prompt: 'left' });
        return { ran, form: await picks.next(/: text$/) };
      };
      const { ran, form } = await begin();
      const isOpen = () =>
        vscode.window.tabGroups.all.some(({ tabs }) =>
          tabs.some(({ label }) => tab !== '' && label.includes(tab)),
        );
      const isEdited = tab === 'text.txt';
      await form.type(isEdited ? 'begun' : what);
      if (button) {
        form.press(button);
        await until(vscode.window.tabGroups.onDidChangeTabs, isOpen);
      } else {
        form.accept();
        await picks.next(/: more$/);
      }
      if (isEdited) {
        const isActive = () => vscode.window.activeTextEditor?.document.uri.path.endsWith(tab);
        await until(vscode.window.onDidChangeActiveTextEditor, () => isActive() === true);
        await vscode.commands.executeCommand('editor.action.selectAll');
        await vscode.commands.executeCommand('type', { text: what });
        await vscode.window.activeTextEditor?.document.save();
      }
      await set('servers', undefined);
      await ran;
      await poll('no form', 10_000, () => Promise.resolve(isOpen() ? undefined : true));
      assert.deepEqual(picks.open, []);
      const again = await begin();
      assert.equal(again.form.pick.value, what);
      await set('servers', undefined);
      await again.ran;
    });
});
