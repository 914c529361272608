import assert from 'node:assert/strict';
import * as fc from 'fast-check';
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

  it('is right for any value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        assert.equal(measureJson(value).bytes, Buffer.byteLength(JSON.stringify(value)));
      }),
    );
  });

  it('is right for a text of every character, whole or in half', () => {
    for (let unit = 0; unit <= 0xffff; unit += 1) {
      const text = String.fromCharCode(unit);
      assert.equal(measureJson(text).bytes, Buffer.byteLength(JSON.stringify(text)));
    }
  });

  it('is right where the pieces of a long text meet', () => {
    for (const length of [9_998, 9_999, 10_000]) {
      const text = `${'x'.repeat(length)}👍\uDC4D"\n`;
      assert.equal(measureJson(text).bytes, Buffer.byteLength(JSON.stringify(text)));
    }
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
