import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import * as fc from 'fast-check';
import { JsonParts } from '../../../../src/base/jsonParts';

/** Counts the lists, objects and names in a value, and the values after the first one in each list or object. */
function partsOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value);
  const names = Array.isArray(value) ? 0 : inner.length;
  return (
    1 +
    Math.max(0, inner.length - 1) +
    names +
    inner.reduce<number>((sum, one) => sum + partsOf(one), 0)
  );
}

/** Returns the different names, and the short texts (up to ten bytes). */
function namesOf(value: unknown): ReadonlySet<string> {
  const names = new Set<string>();
  JSON.stringify(value, (_, one: unknown) => {
    if (typeof one === 'string' && Buffer.byteLength(JSON.stringify(one)) <= 12) names.add(one);
    if (typeof one === 'object' && one !== null && !Array.isArray(one))
      for (const key of Object.keys(one)) names.add(key);
    return one;
  });
  return names;
}

/** Reads a value's JSON text in chunks of one size. */
function partsIn(value: unknown, size: number): JsonParts {
  const bytes = Buffer.from(JSON.stringify(value));
  const parts = new JsonParts();
  for (let at = 0; at < bytes.length; at += size) parts.add(bytes.subarray(at, at + size));
  return parts;
}

describe('The parts of a JSON text', () => {
  it('are counted outside of its texts, however its bytes are cut', () => {
    const value = fc.jsonValue({
      stringUnit: fc.constantFrom('\\', '"', ',', ':', '[', '{', '}', ']', 'x', '漢'),
    });
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 9 }), (one, size) => {
        const { count, distinct } = partsIn(one, size);
        assert.deepEqual([count, distinct], [partsOf(one), namesOf(one).size]);
      }),
    );
  });

  it('are counted behind long texts and names too, wherever those are cut and escaped', () => {
    const text = fc
      .array(fc.constantFrom('\\', '"', ':', ',', 'x'.repeat(30), '漢'), { maxLength: 40 })
      .map((pieces) => pieces.join(''));
    const value = fc.array(fc.oneof(text, fc.dictionary(text, text)), { maxLength: 5 });
    fc.assert(
      fc.property(value, fc.integer({ min: 1, max: 99 }), (one, size) => {
        const { count, distinct } = partsIn(one, size);
        const isLong = (name: string) => Buffer.byteLength(JSON.stringify(name)) >= 66;
        const long = one.flatMap((each) => (typeof each === 'string' ? [] : Object.keys(each)));
        const short = [...namesOf(one)].filter((name) => !isLong(name));
        assert.deepEqual(
          [count, distinct],
          [partsOf(one), short.length + long.filter(isLong).length],
        );
      }),
    );
  });

  /** Returns objects with `count` different names, repeated to get more values. */
  const named = (count: number, repeated = 1) => {
    const one = Object.fromEntries(
      Array.from({ length: count }, (_, at) => [`a long name ${at}`, 0]),
    );
    return Array.from({ length: repeated }, () => one);
  };

  // Names are told apart by hashes, and a few of those collide.
  it('may be a million names and values, of which about 120,000 differ', () => {
    const most = 64_000_000;
    const excess = (value: unknown) => partsIn(value, 65_536).excess(most)?.(inEnglish);
    assert.equal(excess(named(119_000, 2)), undefined);
    assert.match(excess(named(121_000)) ?? '', /120,000 different names and short texts/);
    assert.match(
      excess(Array.from({ length: 121_000 }, (_, at) => `${at}`)) ?? '',
      /120,000 different/,
    );
    const long = Array.from({ length: 200_000 }, (_, at) => `a longer text ${at}`);
    assert.equal(excess(long), undefined);
    assert.match(excess(named(100_000, 6)) ?? '', /1,000,000 names and values/);
    assert.equal(partsIn(named(200_000), 65_536).excess(2 * most), undefined);
  });
});
