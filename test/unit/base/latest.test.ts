import assert from 'node:assert/strict';
import { Latest } from '../../../src/base/async';

function keep(sizes: readonly number[]): readonly number[] {
  const kept = new Set<number>();
  const latest = new Latest<number>({ maxItems: 3, maxBytes: 100 }, (item) => kept.delete(item));
  for (const [index, bytes] of sizes.entries()) {
    kept.add(index);
    latest.add(index, bytes);
  }
  return [...kept];
}

describe('A bounded collection of the latest', () => {
  it('keeps the latest', () => assert.deepEqual(keep([1, 1, 1, 1, 1]), [2, 3, 4]));

  it('makes room by its size', () => assert.deepEqual(keep([40, 40, 30]), [1, 2]));

  it('takes what comes again for its latest, counted by its new size alone', () => {
    const dropped: string[] = [];
    const bounds = { maxItems: 3, maxBytes: 100 };
    const latest = new Latest<string>(bounds, (item) => dropped.push(item));
    for (const item of ['a', 'b', 'a', 'b', 'a']) latest.add(item, 40);
    assert.deepEqual(dropped, []);
    latest.add('c', 40);
    assert.deepEqual(dropped, ['b']);
    latest.add('a', 90);
    assert.deepEqual(dropped, ['b', 'c']);
  });

  it('keeps the last one whatever its size', () => {
    assert.deepEqual(keep([10, 1000]), [1]);
    assert.deepEqual(keep([10, 1000, 90, 10]), [2, 3]);
  });
});
