import assert from 'node:assert/strict';
import { replaceEach } from '../../../../src/base/text/text';

const long = 'x'.repeat(1_000_000);

describe('literals in a text', () => {
  for (const [what, text, literals, expected] of [
    ['wherever they stand', 'a b a c', ['a', 'b'], '<a> <b> <a> c'],
    ['the longest where several begin', 'abab a', ['a', 'ab'], '<ab><ab> <a>'],
    ['the first where they overlap', 'abc', ['bc', 'ab'], '<ab>c'],
    ['with characters of patterns', '(.*) abc', ['.*', 'a|b'], '(<.*>) abc'],
    ['but an empty one', 'ab', ['', 'b'], 'a<b>'],
    ['and nothing else', 'abc', ['d'], 'abc'],
    ['where there are none', 'abc', [], 'abc'],
    ['of a megabyte', `a${long}b`, [long, 'b'], `a<${long}><b>`],
  ] as const)
    it(`are replaced ${what}`, () =>
      assert.ok(replaceEach(text, literals, (found) => `<${found}>`) === expected));

  it('are as many as there are', () => {
    const literals = Array.from({ length: 20_000 }, (_, index) => `key-${index}.`);
    assert.equal(
      replaceEach('key-1. key-19999. key-20000.', literals, () => '-'),
      '- - key-20000.',
    );
  });
});
