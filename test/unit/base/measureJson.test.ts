import assert from 'node:assert/strict';
import { measureJson } from '../../../src/base/measureJson';

describe('Measuring JSON', () => {
  const values: readonly [value: unknown, depth: number][] = [
    [null, 0],
    ['a "quoted"\n😀 text', 0],
    [[], 1],
    [[1, null, undefined, 'x'], 1],
    [{ a: undefined, b: true, 'c"': -1.5e300 }, 1],
    [{ a: [{ b: [] }], c: {} }, 4],
  ];
  for (const [value, depth] of values)
    it(`gives size and depth of ${JSON.stringify(value)}`, () => {
      assert.deepEqual(measureJson(value), {
        bytes: Buffer.byteLength(JSON.stringify(value)),
        depth,
      });
    });

  it('has no limit of depth', () => {
    let deep: unknown = 0;
    for (let i = 0; i < 100_000; i += 1) deep = [deep];
    assert.throws(() => JSON.stringify(deep), RangeError);
    assert.deepEqual(measureJson(deep), { bytes: 200_001, depth: 100_000 });
  });

  it('takes nothing for nothing', () => {
    assert.deepEqual(measureJson(undefined), { bytes: 0, depth: 0 });
  });
});
