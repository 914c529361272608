import * as assert from 'node:assert/strict';
import { followPath, inOrder, type TreeRow } from '../../support/workbench/treeRow';

function row(level: number, label: string, expanded?: boolean): TreeRow {
  return { label, description: '', level, ...(expanded === undefined ? {} : { expanded }) };
}

const rows = [
  row(1, 'one', true),
  row(2, 'Prompts', false),
  row(2, 'Tools', true),
  row(3, 'add'),
  row(1, 'two', true),
  row(2, 'Prompts', true),
  row(3, 'greet'),
  row(1, 'three', false),
];

describe('the path to a row of a tree', () => {
  const found: [string[], { at: number; complete: boolean } | undefined][] = [
    [['two'], { at: 4, complete: true }],
    [['two', 'Prompts', 'greet'], { at: 6, complete: true }],
    [['one', 'Tools', 'add'], { at: 3, complete: true }],
    [['one', 'Prompts', 'greet'], { at: 1, complete: false }],
    [['three', 'Prompts'], { at: 7, complete: false }],
    [['three'], { at: 7, complete: true }],
    [['one', 'greet'], undefined],
    [['two', 'Tools'], undefined],
    [['one', 'Tools', 'greet'], undefined],
    [['four'], undefined],
    [[], undefined],
  ];
  for (const [path, end] of found) {
    it(`${path.join(' › ') || 'nothing'} ends at ${end ? `row ${end.at}` : 'no row'}`, () => {
      assert.deepEqual(followPath(rows, path), end);
    });
  }
});

describe('the rows of two trees, one below the other', () => {
  it('are apart, so that no row of the second ends a path in the first', () => {
    const place = (list: number) => (one: TreeRow, index: number) => ({ ...one, list, index });
    const first = rows.map(place(0));
    const second = [row(1, 'today', true), row(2, 'greet'), row(1, 'yesterday', true)].map(
      place(1),
    );
    // As the editor draws them: with elements that were in use for other rows before.
    const drawn = [...second, ...first.toReversed()];
    assert.deepEqual(inOrder(drawn), [...first, ...second]);
    assert.deepEqual(followPath(inOrder(drawn), ['one', 'Tools']), { at: 2, complete: true });
    const mixed = drawn.toSorted((a, b) => a.index - b.index);
    assert.equal(followPath(mixed, ['one', 'Tools', 'add']), undefined);
  });
});
