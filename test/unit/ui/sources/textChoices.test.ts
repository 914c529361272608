import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  describeText,
  fitsBox,
  meantChoice,
  textChoices,
  type TextStepState,
} from '../../../../src/ui/sources/textChoices';

const empty: TextStepState = {
  typed: '',
  held: undefined,
  put: undefined,
  last: undefined,
  required: false,
  suggested: { values: [] },
};

const suggested = { values: ['python', 'pytorch'] };

const cases: readonly (readonly [string, Partial<TextStepState>, readonly string[]])[] = [
  ['only to leave an optional text out', {}, ['skip:']],
  ['to type a required text that is missing', { required: true }, ['missing:']],
  [
    'nothing that was suggested before a required text that is missing',
    { required: true, suggested },
    ['missing:', 'suggested:python', 'suggested:pytorch'],
  ],
  [
    'what was typed before anything else',
    { typed: 'py', last: 'go', suggested },
    ['typed:py', 'last:go', 'suggested:python', 'suggested:pytorch'],
  ],
  [
    'the last value first while nothing was typed',
    { last: 'go', suggested },
    ['last:go', 'skip:', 'suggested:python', 'suggested:pytorch'],
  ],
  [
    'a suggestion once',
    { last: 'python', suggested: { values: ['python', 'pytorch', 'pytorch'] } },
    ['last:python', 'skip:', 'suggested:pytorch'],
  ],
  [
    'to leave out the rest, at one place whatever is typed',
    { rest: 'Rest', suggested },
    ['skip:', 'rest:', 'suggested:python', 'suggested:pytorch'],
  ],
  ['a held text', { held: 'a\nb', required: true }, ['held:a\nb', 'missing:']],
  ['to leave out an optional text that is held', { held: 'a\nb' }, ['held:a\nb', 'skip:']],
  [
    'a held text after what was typed instead',
    { held: 'a\nb', typed: 'c', required: true },
    ['typed:c', 'held:a\nb'],
  ],
  [
    'what the box began with once, be it of the last time or suggested',
    { typed: 'python', put: 'python', last: 'python', suggested },
    ['typed:python', 'suggested:pytorch'],
  ],
  [
    'the last value below what the box began with instead',
    { typed: 'go', put: 'go', last: 'python', suggested },
    ['typed:go', 'last:python', 'suggested:pytorch'],
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

  for (const [what, state, meant] of [
    ['what was typed', { typed: 'go', suggested }, 'typed:go'],
    ['the first suggestion that begins with it', { typed: 'pyt', suggested }, 'suggested:python'],
    ['that whatever its case', { typed: 'PYTO', suggested }, 'suggested:pytorch'],
    [
      'what was typed where a suggestion only contains it',
      { typed: 'torch', suggested },
      'typed:torch',
    ],
    [
      'what was typed where that is all of a suggestion',
      { typed: 'py', suggested: { values: ['python', 'py'] } },
      'typed:py',
    ],
    ['what was put into the box', { typed: 'py', put: 'py', suggested }, 'typed:py'],
    ['nothing in an empty box that must be filled in', { required: true, suggested }, undefined],
    ['nothing where there is nothing to choose', { required: true }, undefined],
    ['the value of last time', { last: 'go', required: true, suggested }, 'last:go'],
    ['a held text', { held: 'a\nb', suggested }, 'held:a\nb'],
    ['to leave an optional text out', { rest: 'Rest', suggested }, 'skip:'],
  ] as const)
    it(`let Enter mean ${what}`, () => {
      const choice = meantChoice({ ...empty, ...state });
      assert.equal(choice && `${choice.kind}:${choice.value ?? ''}`, meant);
    });

  it('keep their positions whatever is typed', () => {
    const text = fc.string({ maxLength: 3 });
    const maybe = fc.option(text, { nil: undefined });
    fc.assert(
      fc.property(
        fc.record({
          held: maybe,
          put: maybe,
          last: maybe,
          required: fc.boolean(),
          typed: text,
          other: text,
        }),
        fc.array(text),
        ({ typed, other, ...state }, values) => {
          const positions = (now: string) =>
            textChoices({ ...state, typed: now, suggested: { values } })
              .map(({ kind, value }, index) => [index, kind, value] as const)
              .filter(([, kind]) => kind === 'suggested');
          assert.deepEqual(positions(typed), positions(other));
        },
      ),
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
