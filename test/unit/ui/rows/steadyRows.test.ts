import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/event';
import type { PickRow } from '../../../../src/ui/rows/picks';
import { SteadyRows } from '../../../../src/ui/rows/steadyRows';
import { useFakeClock } from '../../../support/fakes/fakeClock';

interface Row {
  readonly label: string;
  readonly detail: string;
}

/** Creates a quick pick as seen in the extension host, and counts how often its rows were drawn. */
function createList(details: Record<string, string>) {
  const moved = new Emitter<readonly PickRow<Row>[]>();
  let items: readonly PickRow<Row>[] = [];
  let drawn = 0;
  const pick = {
    get items() {
      return items;
    },
    set items(rows: readonly PickRow<Row>[]) {
      items = rows;
      pick.activeItems = rows.slice(0, 1);
      drawn += 1;
    },
    activeItems: [] as readonly PickRow<Row>[],
    onDidChangeActive: moved.event,
  };
  const read = () =>
    Object.entries(details).map(([label, detail]) => ({ label, detail }) as PickRow<Row>);
  const rows = new SteadyRows<Row>(pick, read, (row, other) => row.label === other.label);
  return {
    rows,
    details,
    get drawn() {
      return drawn;
    },
    get active() {
      return pick.activeItems.map(({ label, detail }) => `${label} ${detail}`).join();
    },
    /** Moves the highlight like a key, and reports it like the editor. */
    move: (label: string) => {
      pick.activeItems = items.filter((row) => row.label === label);
      moved.fire(pick.activeItems);
    },
  };
}

describe('the rows of a list that changes while it is shown', () => {
  const clock = useFakeClock();

  it('are not drawn anew where they look the same', () => {
    const list = createList({ a: '1', b: '1' });
    for (let at = 0; at < 100; at += 1) list.rows.refresh();
    assert.equal(list.drawn, 1);
    list.rows.dispose();
  });

  it('keep the highlight where they look otherwise', () => {
    const list = createList({ a: '1', b: '1', c: '1' });
    list.details['b'] = '2';
    list.rows.refresh();
    assert.deepEqual([list.drawn, list.active], [2, 'a 1']);
    list.rows.dispose();
  });

  it('are drawn anew only once the highlight rests, and leave it where it is then', async () => {
    const list = createList({ a: '1', b: '1', c: '1' });
    for (const label of ['b', 'c', 'b']) {
      list.move(label);
      list.details['b'] += '+';
      list.rows.refresh();
      await clock.tick(200);
      assert.equal(list.drawn, 1);
    }
    await clock.tick(600);
    assert.deepEqual([list.drawn, list.active], [2, 'b 1+++']);
    list.rows.dispose();
  });
});
