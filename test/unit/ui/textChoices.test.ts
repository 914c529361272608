import assert from 'node:assert/strict';
import {
  describeText,
  fitsBox,
  textChoices,
  type TextStepState,
} from '../../../src/ui/textChoices';

const empty: TextStepState = {
  typed: '',
  held: undefined,
  last: undefined,
  required: false,
  suggested: { values: [] },
};

const suggested = { values: ['python', 'pytorch'] };

const cases: readonly (readonly [string, Partial<TextStepState>, readonly string[]])[] = [
  ['only to leave an optional text out', {}, ['skip:']],
  ['nothing for a required text that is missing', { required: true }, []],
  [
    'what was typed before anything else',
    { typed: 'py', last: 'pyx', suggested },
    ['typed:py', 'last:pyx', 'suggested:python', 'suggested:pytorch', 'skip:'],
  ],
  [
    'the last value first while nothing was typed',
    { last: 'go', suggested },
    ['last:go', 'skip:', 'suggested:python', 'suggested:pytorch'],
  ],
  ['the last value only while it fits', { typed: 'x', last: 'go' }, ['typed:x', 'skip:']],
  [
    'every value once',
    { typed: 'python', last: 'python', suggested },
    ['typed:python', 'suggested:pytorch', 'skip:'],
  ],
  ['a held text', { held: 'a\nb', required: true }, ['held:a\nb']],
  [
    'a held text after what was typed instead',
    { held: 'a\nb', typed: 'c', required: true },
    ['typed:c', 'held:a\nb'],
  ],
  ['white space as it was typed', { typed: '  ', required: true }, ['typed:  ']],
];

describe('the choices of a text step', () => {
  for (const [name, state, expected] of cases)
    it(`offer ${name}`, () => {
      const choices = textChoices({ ...empty, ...state });
      assert.deepEqual(
        choices.map(({ kind, value }) => `${kind}:${value ?? ''}`),
        expected,
      );
    });

  it('carry a value unchanged, whatever it is', () => {
    const value = ' "quotes" \'both\'\t\u202E 日本語 👍🏽 $(x) ';
    assert.equal(textChoices({ ...empty, typed: value })[0]?.value, value);
  });
});

describe('a text in one line', () => {
  for (const text of ['a\nb', 'a\r\nb', 'a\rb', 'a\u2028b', 'x'.repeat(1001)])
    it(`does not put ${JSON.stringify(text.slice(0, 6))} (${text.length}) into the box`, () =>
      assert.equal(fitsBox(text), false));

  it('counts lines and bytes', () => {
    assert.deepEqual(describeText('ä\r\nb\nc'), { label: 'ä b c', lines: 3, bytes: 7 });
  });

  it('stays short for a megabyte', () => {
    const { label, bytes } = describeText('x'.repeat(1_000_000));
    assert.ok(label.length <= 120);
    assert.equal(bytes, 1_000_000);
  });

  it('shows a text of spaces', () => assert.equal(describeText('   ').label, '␣␣␣'));
});
