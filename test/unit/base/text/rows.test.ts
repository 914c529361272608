import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { rowText, widthOf, wrapLine } from '../../../../src/base/text/rows';

describe('A line as rows', () => {
  for (const [line, rows] of [
    ['short', ['short']],
    ['one two three four', ['one two ', 'three four']],
    ['one two three', ['one two ', 'three']],
    ['abcdefghijklmnop', ['abcdefghij', 'klmnop']],
    ['a bcdefghijklmnop', ['a bcdefghi', 'jklmnop']],
    ['run /a/bcd/efg', ['run /a/', 'bcd/efg']],
    ['run C:\\abcdef', ['run C:\\', 'abcdef']],
    ['a /bc/defg/h', ['a /bc/', 'defg/h']],
    ['这是一个很长的句子', ['这是一个很', '长的句子']],
  ] as const)
    it(`ends each behind a word, where there is one: ${line}`, () =>
      assert.deepEqual(wrapLine(line, 10), rows));

  it('is whole and in no row wider than there is room', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 2, max: 30 }),
        (line, room) => {
          const rows = wrapLine(line, room);
          assert.equal(rows.join(''), rowText(line));
          for (const row of rows) assert.ok(widthOf(row) <= room);
        },
      ),
    );
  });
});
