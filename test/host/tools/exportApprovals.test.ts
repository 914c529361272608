import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { Approvals } from '../../../src/gate/decide/approvals';
import { manageApprovals } from '../../../src/tools/approvals/manageApprovals';
import { fakeServer, tool } from '../../support/fakes/fakeServer';
import { createMemento } from '../../support/fakes/memento';
import { watchPicks } from '../../support/host/shownPicks';
import { watchExports } from '../../support/host/watchExports';
import { poll } from '../../support/poll';

describe('the approvals of tools', function () {
  this.timeout(60_000);

  it('are exported into a file that is offered, which is said', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-approvals-'));
    const file = join(folder, 'saved.json');
    const exports = watchExports(file);
    const picks = watchPicks();
    try {
      const approvals = new Approvals({ workspace: createMemento(), always: createMemento() });
      const call = { server: fakeServer(), tool: tool({ name: 'a' }), arguments: {} };
      await approvals.remember(
        { ...call, origin: { kind: 'user' } },
        { coverage: 'tool', duration: 'session' },
      );
      manageApprovals(approvals, undefined as never, undefined);
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
