import assert from 'node:assert/strict';
import { deferred } from '../../../../src/base/async';
import { RowClicks } from '../../../../src/ui/rows/rowClicks';
import { byUser } from '../../../../src/ui/questions/question';

/**
 * Creates a list of rows; what the first click opens is open when `opened` resolves, and the row `nothing` does
 * nothing.
 */
function open() {
  const opened = deferred<boolean>();
  const done: string[] = [];
  const view = { selection: [] as string[] };
  const waits: (() => void)[] = [];
  const asked: number[] = [];
  let time = 1000;
  const clicks = new RowClicks(
    view,
    (row) =>
      row === 'nothing'
        ? undefined
        : {
            row,
            run: () => {
              done.push(row);
              return opened.promise;
            },
          },
    {
      keepTab: async () => void done.push('keep'),
      untilEditorCaughtUp: async () => waits.shift()?.(),
      showAsked: (since) => asked.push(since),
    },
    () => time,
  );
  const click = (row: string, afterMs: number) => {
    time += afterMs;
    view.selection = [row];
    return clicks.click(byUser());
  };
  return { asked, click, clicks, done, opened, view, waits };
}

describe('Clicks on rows', () => {
  for (const [what, opensTab, expected] of [
    ['what opens a tab once and keep that, once it is open', true, ['keep']],
    ['what opens none once', false, []],
  ] as const)
    it(`twice in quick succession run ${what}`, async () => {
      const { click, done, opened } = open();
      const both = [click('a', 0), click('a', 200)];
      opened.resolve(opensTab);
      await Promise.all(both);
      assert.deepEqual(done, ['a', ...expected]);
    });

  it('give the keyboard back to what the first of two asked, at once and for no other click', async () => {
    const { asked, click, opened } = open();
    const first = click('a', 0);
    void click('b', 100);
    assert.deepEqual(asked, []);
    const second = click('b', 100);
    await Promise.race([second, new Promise(setImmediate)]);
    assert.deepEqual(asked, [1100]);
    opened.resolve(true);
    await Promise.all([first, second]);
  });

  it('twice in quick succession keep nothing before it is open', async () => {
    const { click, done, opened } = open();
    const first = click('a', 0);
    const second = click('a', 200);
    await Promise.race([second, new Promise(setImmediate)]);
    assert.deepEqual(done, ['a']);
    opened.resolve(true);
    await Promise.all([first, second]);
    assert.deepEqual(done, ['a', 'keep']);
  });

  it('that are no double click each do what their row does', async () => {
    const { click, done, opened } = open();
    opened.resolve(true);
    await click('a', 0);
    await click('b', 100);
    await click('b', 1600);
    await click('b', 100);
    await click('b', 100);
    assert.deepEqual(done, ['a', 'b', 'b', 'keep', 'b']);
  });

  it('that are a slow double click run again what opens a tab, which may be closed by then, and keep it', async () => {
    for (const [opensTab, expected] of [
      [true, ['a', 'a', 'keep', 'a', 'keep']],
      [false, ['a', 'a', 'a']],
    ] as const) {
      const { click, done, opened } = open();
      opened.resolve(opensTab);
      for (const afterMs of [0, 1400, 1400]) await click('a', afterMs);
      assert.deepEqual(done, expected);
    }
  });

  it('wait for the row while the editor draws the view anew', async () => {
    const { clicks, done, opened, view, waits } = open();
    opened.resolve(true);
    waits.push(
      () => {},
      () => (view.selection = ['a']),
    );
    await clicks.click(byUser());
    assert.deepEqual(done, ['a']);
  });

  it('do nothing where the row has gone, or does nothing', async () => {
    const { click, clicks, done } = open();
    await clicks.click(byUser());
    await click('nothing', 0);
    assert.deepEqual(done, []);
  });
});
