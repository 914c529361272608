import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  roomAt,
  rowRoom,
  rowText,
  widthOf,
  wrapIndented,
  wrapLine,
} from '../../../../src/base/text/rows';

/** Room for ten letters such as `a`. */
const ten = widthOf('aaaaaaaaaa');
const room = { first: ten, others: ten };

describe('A line as rows', () => {
  for (const [line, rows] of [
    ['short', ['short']],
    ['bad bad bad bad', ['bad bad ', 'bad bad']],
    ['bad bad badbadb', ['bad bad ', 'badbadb']],
    // A blank that is one too many does not become the indent of the next row.
    ['abdeghnopq bad', ['abdeghnopq ', 'bad']],
    ['abdeghnopq ', ['abdeghnopq ']],
    ['abdeghnopquvxyab', ['abdeghnopq', 'uvxyab']],
    // A word moves to the next row if it is whole there, however empty that leaves its own.
    ['a badbadbad', ['a ', 'badbadbad']],
    ['a badbadbadbadbad', ['a badbadba', 'dbadbad']],
    ['bad /a/bad/bad', ['bad /a/bad/', 'bad']],
    ['bad C:\\badbad', ['bad C:\\', 'badbad']],
    ['a /bd/badba/b', ['a ', '/bd/badba/b']],
    ['a:{"bad":1,"bad":2}', ['a:{"bad":1,', '"bad":2}']],
    ['badbad_badbad', ['badbad_', 'badbad']],
    ['这是一个很长的句子', ['这是一个很长', '的句子']],
  ] as const)
    it(`ends each behind a word, where there is one: ${line}`, () =>
      assert.deepEqual(wrapLine(line, room), rows));

  it('is whole and in no row wider than there is room', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.integer({ min: 2, max: 30 }),
        (line, letters) => {
          const width = letters * 14;
          const rows = wrapLine(line, { first: width, others: width });
          assert.equal(rows.join(''), rowText(line));
          for (const row of rows) assert.ok(widthOf(row.replace(/ $/, '')) <= width);
        },
      ),
    );
  });

  it('leaves room for the heading beside the first row, and for an icon and the indent', () => {
    const line = 'bad '.repeat(100);
    const [first = '', ...others] = wrapIndented(line, { heading: 'Working directory' });
    assert.ok(widthOf(first) + widthOf('Working directory') <= rowRoom);
    assert.ok(others.every((row) => widthOf(row) <= rowRoom));
    const withIcon = wrapIndented(line, { hasIcon: true });
    assert.ok(withIcon.every((row) => widthOf(row) <= rowRoom - 22));
  });

  it('has at least half of its room, however long the heading is', () => {
    assert.ok(roomAt({ heading: 'W'.repeat(100) }).first >= rowRoom / 2);
  });

  it('is no narrower than the characters are drawn, in pixels of the widest font', () => {
    // Measured in the editor's list, at 13 pixels in DejaVu Sans.
    for (const [text, drawn] of [
      ['path: "/home/user/projects/app/src/index.ts"', 289],
      ['abcdefghijklmnopqrstuvwxyz', 191],
      ['ABCDEFGHIJKLMNOPQRSTUVWXYZ', 228],
      ['0123456789', 83],
      ['WWWWWWWWWW', 129],
      ['mmmmmmmmmm', 127],
      ['语言中文', 52],
      ['😀😀', 28],
    ] as const) {
      const width = widthOf(text);
      assert.ok(width >= drawn && width <= drawn * 1.25, `${text}: ${width}`);
    }
  });
});
