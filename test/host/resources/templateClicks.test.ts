import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { activateWorkbench } from '../../support/host/hostApi';
import { watchPicks, type WatchedPicks } from '../../support/host/shownPicks';
import { fakeServer } from '../../support/fakes/fakeServer';

const template = { name: 'files', uriTemplate: 'file:///{path}' };

describe('the row of a template', () => {
  let picks: WatchedPicks;
  before(activateWorkbench);
  beforeEach(() => (picks = watchPicks()));
  afterEach(() => picks.dispose());

  it('asks once however often it is clicked, and again afterwards', async () => {
    const row = { id: 'row', parent: {}, server: fakeServer(), template };
    const click = () => vscode.commands.executeCommand('mcpWorkbench.openResourceTemplate', row);
    for (let time = 1; time <= 2; time += 1) {
      const first = click();
      const form = await picks.next(/: path$/);
      await click();
      form.escape();
      await first;
      assert.deepEqual(picks.open, []);
    }
  });
});
