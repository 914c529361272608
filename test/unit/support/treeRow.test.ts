import * as assert from 'node:assert/strict';
import { followPath, type TreeRow } from '../../support/workbench/treeRow';

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
