import assert from 'node:assert/strict';
import { deferred } from '../../../src/base/async';
import { RowClicks, throughRowClicks } from '../../../src/tree/rowClicks';
import { Command } from '../../../src/ui/ids';

/** A list of rows whose first click opens when it is told to. */
function open() {
  const opened = deferred<void>();
  const done: string[] = [];
  let time = 1000;
  const clicks = new RowClicks(
    {
      run: (command, [what]) => {
        done.push(`${command} ${String(what)}`);
        return opened.promise;
      },
      keepTab: async () => void done.push('keep'),
    },
    () => time,
  );
  const click = (row: string, afterMs: number, command: string = Command.openResource) => {
    time += afterMs;
    return clicks.click({
      id: row,
      parent: undefined,
      item: () => ({ id: row, command: { title: 'Do', command, arguments: [row] } }),
    });
  };
  return { click, clicks, done, opened };
}

describe('Clicks on rows', () => {
  for (const [what, command, expected] of [
    ['a resource once and keep its tab, once it is open', Command.openResource, ['keep']],
    ['a tool once', Command.runTool, []],
  ] as const)
    it(`twice in quick succession run ${what}`, async () => {
      const { click, done, opened } = open();
      const both = [click('a', 0, command), click('a', 200, command)];
      assert.deepEqual(done, [`${command} a`]);
      opened.resolve();
      await Promise.all(both);
      assert.deepEqual(done, [`${command} a`, ...expected]);
    });

  it('that are no double click each do what their row does', async () => {
    const { click, done, opened } = open();
    opened.resolve();
    await click('a', 0);
    await click('b', 100);
    await click('b', 600);
    await click('b', 100);
    await click('b', 100);
    assert.deepEqual(
      done,
      ['a', 'b', 'b', 'keep', 'b'].map((row) =>
        row === 'keep' ? row : `${Command.openResource} ${row}`,
      ),
    );
  });

  it('run a command without arguments, as those of a row that has just changed are gone', () => {
    const command = { title: 'Open', command: Command.openResource, arguments: ['a'] };
    assert.deepEqual(throughRowClicks({ id: 'a', command }).command, {
      title: 'Open',
      command: Command.clickRow,
    });
    for (const item of [{ id: 'a' }, { command }]) assert.equal(throughRowClicks(item), item);
  });

  it('do nothing where the row has gone, or does nothing', async () => {
    const { clicks, done } = open();
    await clicks.click(undefined);
    await clicks.click({ id: 'a', parent: undefined, item: () => ({ id: 'a' }) });
    assert.deepEqual(done, []);
  });
});
