import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { watchForComeback } from '../../../src/ui/questions/questions';
import { poll } from '../../support/poll';

describe('a question in whose place the user has gone to a file', function () {
  this.timeout(60_000);

  it('comes back once they do not type there any more', async () => {
    const busy = [20, 10, 0];
    let freed = 0;
    const queue = { release: () => (freed += 1) };
    const watching = watchForComeback(queue, { quietMs: 0 }, () => {
      assert.equal(freed, 0);
      return busy.shift() ?? 0;
    });
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument());
    await poll('the question to come back', 20_000, () => Promise.resolve(freed > 0 || undefined));
    assert.deepEqual(busy, []);
    watching.dispose();
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
  });
});
