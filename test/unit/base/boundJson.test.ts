import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { boundJson } from '../../../src/base/measureJson';

const bounds = { maxString: 50, maxBytes: 2000 };
const bytesOf = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

describe('A bounded copy of JSON', () => {
  it('is the value itself where that is small', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 3 }), (value) => {
        fc.pre(bytesOf(value) < 500 && !/"[^"]{50}/.test(JSON.stringify(value)));
        assert.deepEqual(boundJson(value, bounds), value);
      }),
    );
  });

  let deep: unknown = 'end';
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  const rows: readonly [what: string, value: unknown][] = [
    ['a long text', 'x'.repeat(1_000_000)],
    ['a text that JSON escapes', '\u0001'.repeat(1_000_000)],
    ['a long name', { ['n'.repeat(1_000_000)]: 1 }],
    ['many items', Array.from({ length: 100_000 }, (_, index) => index)],
    ['many names', Object.fromEntries(Array.from({ length: 100_000 }, (_, n) => [`n${n}`, {}]))],
    ['many empty lists', Array.from({ length: 100_000 }, () => [])],
    ['a value nested without end', deep],
    ['lists of long texts', Array.from({ length: 1000 }, () => [{ a: '漢'.repeat(100) }])],
  ];
  for (const [what, value] of rows)
    it(`keeps to its bytes: ${what}`, () => {
      const copy = boundJson(value, bounds);
      assert.ok(bytesOf(copy) <= bounds.maxBytes, String(bytesOf(copy)));
      assert.match(JSON.stringify(copy), /…/);
    });

  it('keeps to its bytes whatever the value is', () => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 8 }),
        fc.integer({ min: 30, max: 300 }),
        (value, max) => {
          assert.ok(
            bytesOf(boundJson([value, value, value], { maxString: 20, maxBytes: max })) <= max,
          );
        },
      ),
    );
  });

  it('has what comes first', () => {
    const value = { first: 'a', second: 'x'.repeat(100), third: Array(10_000).fill('y') };
    const { first, second, third } = boundJson(value, bounds) as typeof value;
    assert.deepEqual([first, second], ['a', `${'x'.repeat(49)}…`]);
    assert.ok(third.length > 100 && third.at(-1) === '…');
  });
});
