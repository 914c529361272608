import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { toolSection } from '../../../src/tools/toolSection';
import { pickTool } from '../../../src/tools/run/pickTool';
import { selectTools } from '../../../src/chat/offer/selectTools';
import { fakeServer, fakeServers, tool } from '../../support/fakes/fakeServer';
import { choosingOf } from '../../support/host/choosing';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { scriptedQuestions } from '../../support/host/scriptedQuestions';
import { byUser } from '../../../src/ui/questions/question';

describe('a tool that has an app', () => {
  const ui = { resourceUri: 'ui://demo/view' };
  const image =
    'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
  const server = fakeServer({
    tools: [
      tool({ name: 'chart', description: 'Draws.', _meta: { ui } }),
      tool({ name: 'painted', _meta: { ui }, icons: [{ src: image }] }),
      tool({ name: 'refresh', _meta: { ui: { visibility: ['app'] } } }),
      tool({ name: 'plain', description: 'Adds.' }),
    ],
  });
  const servers = fakeServers(server);
  let picks: WatchedPicks;

  beforeEach('watch', () => (picks = watchPicks()));
  afterEach('watch no longer', () => picks.dispose());

  it('has a sign of its own in the tree, and says so', () => {
    const parent = { id: 'top', parent: undefined, item: () => new vscode.TreeItem('') };
    const rows = toolSection.nodes(server, parent, 10);
    const marks = rows.map((row) => {
      const { iconPath, tooltip } = row.item();
      const icon = iconPath instanceof vscode.ThemeIcon ? iconPath.id : 'image';
      return [icon, typeof tooltip === 'string' ? tooltip.split('\n\n') : tooltip];
    });
    assert.deepEqual(marks, [
      ['window', ['chart', 'Has an app.', 'Draws.']],
      ['image', ['painted', 'Has an app.']],
      ['symbol-method', ['refresh', 'For apps only: not offered to models.']],
      ['symbol-method', ['plain', 'Adds.']],
    ]);
  });

  it('says so in the list of the tools that can be run, even with an image of its own', async () => {
    const picked = pickTool(byUser(), { servers, questions: scriptedQuestions() });
    const shown = await picks.next(/^Run MCP Tool$/);
    const details = Object.fromEntries(
      shown.pick.items.map(({ label, detail }) => [label, detail]),
    );
    shown.choose('plain');
    assert.equal((await picked)?.tool.name, 'plain');
    assert.equal(details['chart'], 'Has an app. · Draws.');
    assert.equal(details['painted'], 'Has an app.');
    assert.equal(details['plain'], 'Adds.');
  });

  it('says so in the list of the tools that models are offered', async () => {
    const choosing = choosingOf(servers);
    const selected = selectTools(byUser(), choosing);
    const { pick } = await picks.next(/^Select Tools$/);
    const details = pick.items.map(({ detail }) => detail);
    choosing.questions.view?.escape();
    await selected;
    assert.ok(details.includes('Has an app. · Draws.'), details.join('\n'));
  });
});
