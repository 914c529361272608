import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { selectTools } from '../../../src/chat/offer/selectTools';
import { ToolSets, switchToolSet } from '../../../src/chat/offer/switchToolSet';
import { poll } from '../../support/poll';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { fakeServer, fakeServers, tool } from '../../support/fakes/fakeServer';
import { choosingOf } from '../../support/host/choosing';
import { memoryStore } from '../../support/host/openChat';
import { byUser } from '../../../src/ui/questions/question';

const named = (...names: string[]) => names.map((name) => tool({ name }));
const two = () =>
  fakeServers(
    fakeServer({ id: 'a', name: 'files', tools: named('read', 'write') }),
    fakeServer({ id: 'b', name: 'notes', tools: named('list') }),
  );

describe('what tools cost', () => {
  let picks: WatchedPicks;
  before(() => (picks = watchPicks()));
  after(() => picks.dispose());

  it('stands beside each tool and each server: an estimate until a model has counted', async () => {
    const choosing = choosingOf(two());
    const rows = async () => {
      const selected = selectTools(byUser(), choosing);
      const { pick } = await picks.next(/^Select Tools$/);
      const texts = pick.items.map(({ label, description }) => `${label} | ${description ?? ''}`);
      choosing.questions.view?.escape();
      await selected;
      return texts;
    };
    assert.match(
      (await rows()).join('\n'),
      /^files · ≈ \d+ tokens \| \nread \| files · ≈ \d+ tokens\n/,
    );
    choosing.costs.use({ id: 'm', countTokens: () => Promise.resolve(1200) });
    assert.deepEqual(await rows(), [
      'files · 2,400 tokens | ',
      'read | files · 1,200 tokens',
      'write | files · 1,200 tokens',
      'notes · 1,200 tokens | ',
      'list | notes · 1,200 tokens',
    ]);
  });

  it('does not replace a set of tools unsaid', async () => {
    const choosing = choosingOf(two());
    const sets = new ToolSets(memoryStore());
    await sets.save('Files', []);
    const { createInputBox } = vscode.window;
    let box: vscode.InputBox | undefined;
    let tell: (text: string) => void = () => {};
    vscode.window.createInputBox = () => {
      box = createInputBox();
      // The editor only reports values that are typed.
      return Object.assign(box, {
        onDidChangeValue: (listener: (text: string) => void) => {
          tell = listener;
          return new vscode.Disposable(() => {});
        },
      });
    };
    try {
      const saved = switchToolSet(byUser(), choosing, sets);
      (await picks.next(/^Switch Tool Set$/)).choose('Save as Set…');
      const asked = await poll('the box', 20_000, () => Promise.resolve(box));
      const told = [' ', 'Other', ' Files '].map((name) => {
        asked.value = name;
        tell(name);
        const message = asked.validationMessage;
        return typeof message === 'object' ? message.message : message;
      });
      assert.deepEqual(told, ['Enter a name.', undefined, 'Replaces the set of this name.']);
      await vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      await saved;
      assert.deepEqual(sets.names, ['Files']);
      assert.ok(choosing.chatTools.known.every(sets.has('Files')));
    } finally {
      vscode.window.createInputBox = createInputBox;
    }
  });

  it('is what sets of tools are told apart by, which are saved, switched and deleted', async () => {
    const servers = two();
    const choosing = choosingOf(servers);
    const sets = new ToolSets(memoryStore());
    const choose = async (label: string) => {
      const switched = switchToolSet(byUser(), choosing, sets);
      const shown = await picks.next(/^Switch Tool Set$/);
      const rows = shown.pick.items.map((item) => `${item.label} ${item.description ?? ''}`);
      shown.choose(label);
      return { rows, switched };
    };
    const offered = () =>
      choosing.chatTools.known.filter(choosing.selection.offers).map((one) => one.tool.name);
    const [files] = servers.all;
    assert.ok(files);
    const all = choosing.chatTools.known;
    await choosing.selection.choose(
      all,
      all.filter(({ server }) => server === files),
    );
    await sets.save('Files', all.filter(choosing.selection.offers));
    await (
      await choose('All Tools')
    ).switched;
    assert.deepEqual(offered(), ['read', 'write', 'list']);
    const { rows, switched } = await choose('Files');
    await switched;
    assert.deepEqual(offered(), ['read', 'write']);
    assert.match(rows[0] ?? '', /^All Tools 3 tools · ≈ \d+ tokens · current$/);
    assert.match(rows[1] ?? '', /^Files 2 tools · ≈ \d+ tokens$/);
    const again = await choose('Files');
    assert.match(again.rows[1] ?? '', /^Files .* · current$/);
    await again.switched;
    await (
      await choose('Delete the Set Files')
    ).switched;
    assert.deepEqual(sets.names, []);
    assert.deepEqual(offered(), ['read', 'write']);
  });
});
