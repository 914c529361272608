import assert from 'node:assert/strict';
import { nodeClick, throughRowClicks } from '../../../src/tree/nodeClick';
import { Command } from '../../../src/ui/ids';

const row = { id: 'a', parent: undefined };

describe('A click on a row of the servers', () => {
  for (const [command, opensTab] of [
    [Command.openResource, true],
    [Command.openConfiguration, true],
    [Command.diagnoseServer, true],
    [Command.showServerLog, false],
    [Command.runTool, false],
  ] as const)
    it(`runs ${command} with its arguments${opensTab ? ', which opens a tab' : ''}`, async () => {
      const ran: unknown[] = [];
      const item = { id: 'a', command: { title: 'Do', command, arguments: ['b', 1] } };
      const click = nodeClick({ ...row, item: () => item }, async (...run) => ran.push(run));
      await click?.run();
      assert.deepEqual([click?.row, click?.opensTab, ran], ['a', opensTab, [[command, ['b', 1]]]]);
    });

  it('does nothing where the row has nothing to do', () =>
    assert.equal(
      nodeClick({ ...row, item: () => ({ id: 'a' }) }, () => Promise.reject(new Error('ran'))),
      undefined,
    ));

  it('needs no arguments, as those of a row that has just changed are gone', () => {
    const command = { title: 'Open', command: Command.openResource, arguments: ['a'] };
    assert.deepEqual(throughRowClicks({ id: 'a', command }).command, {
      title: 'Open',
      command: Command.clickRow,
    });
    for (const item of [{ id: 'a' }, { command }]) assert.equal(throughRowClicks(item), item);
  });
});
