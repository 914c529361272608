import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { once } from '../../../src/base/event';
import { findResource } from '../../../src/resources/commands/findResource';
import { until } from '../../support/host/hostApi';
import { scriptedQuestions } from '../../support/host/scriptedQuestions';
import { poll } from '../../support/poll';
import { FakeServer, FakeServers } from '../../support/fakes/fakeServer';
import { byUser } from '../../../src/ui/questions/question';

const { createQuickPick } = vscode.window;
const resources = (...names: readonly string[]) =>
  names.map((name) => ({ uri: `x://h/${name}`, name }));

describe('finding a resource', () => {
  let picks: vscode.QuickPick<vscode.QuickPickItem>[];

  beforeEach(() => {
    picks = [];
    vscode.window.createQuickPick = <T extends vscode.QuickPickItem>() => {
      const pick = createQuickPick<T>();
      // The window may still be starting and could take the focus.
      pick.ignoreFocusOut = true;
      picks.push(pick);
      return pick;
    };
  });

  afterEach(() => {
    vscode.window.createQuickPick = createQuickPick;
  });

  it('shows what arrives while the lists still load, and leaves the user where they are', async () => {
    const server = new FakeServer({ id: 'one', resources: resources('a', 'b') });
    server.resources.status = 'loading';
    const found = findResource(
      byUser(),
      { servers: new FakeServers(server), questions: scriptedQuestions() },
      'Find',
    );
    const pick = await poll('the list', 10_000, () => Promise.resolve(picks[0]));
    const untilLabels = (...labels: readonly string[]) =>
      poll(`the rows ${labels.join()}`, 10_000, () =>
        Promise.resolve(pick.items.map(({ label }) => label).join() === labels.join() || undefined),
      );
    const untilActive = (wanted: string) =>
      until(pick.onDidChangeActive, () => pick.activeItems[0]?.label === wanted);
    await untilLabels('a', 'b');
    assert.equal(pick.busy, true);
    await untilActive('a');
    // The active row changes immediately here; the event follows when the editor has the change, too.
    const moved = once(pick.onDidChangeActive, ([item]) => item?.label === 'b');
    pick.activeItems = pick.items.slice(1);
    await moved;
    server.resources.set(resources('0', 'a', 'b', 'c'), 'loaded');
    await untilLabels('0', 'a', 'b', 'c');
    await untilActive('b');
    assert.equal(pick.busy, false);
    let isEnded = false;
    void found.then(() => (isEnded = true));
    // A list that was hidden right after it appeared is shown again.
    await poll('the end', 10_000, () => {
      pick.hide();
      return Promise.resolve(isEnded || undefined);
    });
    assert.equal(await found, undefined);
  });
});
