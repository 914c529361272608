import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { writer } from '../../support/host/hostApi';
import { delay } from '../../../src/base/async';
import { Emitter } from '../../../src/base/event';
import { Approvals } from '../../../src/gate/decide/approvals';
import { manageApprovals } from '../../../src/tools/manageApprovals';
import { doubleClickMs } from '../../../src/ui/rows/rowClicks';
import { fakeServer, tool } from '../../support/fakes/fakeServer';
import { createMemento } from '../../support/fakes/memento';
import { watchPicks } from '../../support/host/shownPicks';
import { watchExports } from '../../support/host/watchExports';
import { poll } from '../../support/poll';
import { byUser } from '../../../src/ui/questions/question';

describe('the approvals of tools', function () {
  this.timeout(60_000);

  /** Returns approvals, for the session, of calls to tools with these names. */
  const given = async (...names: readonly string[]) => {
    const approvals = new Approvals({ workspace: createMemento(), always: createMemento() });
    for (const name of names) {
      const call = { server: fakeServer(), tool: tool({ name }), arguments: {} };
      await approvals.remember(
        { ...call, origin: { kind: 'user', action: undefined } },
        { coverage: 'tool', duration: 'session' },
      );
    }
    return approvals;
  };

  it('are withdrawn one at a time: the second click of a double click is not for the next row', async () => {
    const { createQuickPick } = vscode.window;
    const withdraw = new Emitter<vscode.QuickPickItemButtonEvent<vscode.QuickPickItem>>();
    let pick: vscode.QuickPick<vscode.QuickPickItem> | undefined;
    vscode.window.createQuickPick = <T extends vscode.QuickPickItem>() => {
      const made = createQuickPick<T>();
      pick = made;
      return Object.assign(made, { onDidTriggerItemButton: withdraw.event });
    };
    try {
      const approvals = await given('a', 'b', 'c');
      manageApprovals(byUser(), { approvals, input: undefined as never, writer });
      const click = () => {
        const item = pick?.items.find(({ buttons }) => buttons !== undefined);
        const [button] = item?.buttons ?? [];
        assert.ok(item && button);
        withdraw.fire({ item, button });
      };
      click();
      click();
      await poll('a withdrawal', 10_000, () =>
        Promise.resolve(approvals.all.length < 3 || undefined),
      );
      click();
      await delay(doubleClickMs + 1);
      assert.equal(approvals.all.length, 2);
      click();
      await poll('another', 10_000, () => Promise.resolve(approvals.all.length < 2 || undefined));
    } finally {
      pick?.hide();
      vscode.window.createQuickPick = createQuickPick;
    }
  });

  it('are exported into a file that is offered, which is said', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-approvals-'));
    const file = join(folder, 'saved.json');
    const exports = watchExports(file);
    const picks = watchPicks();
    try {
      const approvals = await given('a');
      manageApprovals(byUser(), { approvals, input: undefined as never, writer });
      (await picks.next(/^Tool Approvals$/)).press('Export…');
      const told = await poll('what is said', 10_000, () => Promise.resolve(exports.told[0]));
      assert.equal(told, 'Saved 1 approval to saved.json. [Open]');
      assert.deepEqual(JSON.parse(await readFile(file, 'utf8')), approvals.all);
      const [first] = vscode.workspace.workspaceFolders ?? [];
      assert.ok(first);
      const offered = vscode.Uri.joinPath(first.uri, 'tool-approvals.json');
      assert.deepEqual(exports.asked, [offered.toString()]);
    } finally {
      exports.dispose();
      picks.dispose();
      await rm(folder, { recursive: true });
    }
  });
});
