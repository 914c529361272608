import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  argumentSchema,
  argumentText,
  parseArguments,
} from '../../../src/prompts/argumentDocument';
import { untranslated } from './drafts';

const args = [
  { name: 'language', title: 'Language', description: 'Of the code', required: true },
  { name: 'code', required: true },
  { name: 'style' },
];

describe('the document of all arguments', () => {
  it('has a schema with every argument as text', () => {
    assert.deepEqual(argumentSchema(args), {
      type: 'object',
      properties: {
        language: { type: 'string', title: 'Language', description: 'Of the code' },
        code: { type: 'string' },
        style: { type: 'string' },
      },
      required: ['language', 'code'],
      additionalProperties: false,
    });
  });

  it('begins with what is given and what is required', () => {
    assert.deepEqual(JSON.parse(argumentText(args, { code: 'x' })), { language: '', code: 'x' });
    assert.deepEqual(JSON.parse(argumentText(args, { style: 'y' })), {
      language: '',
      code: '',
      style: 'y',
    });
  });

  it('gives back every text exactly', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (code) => {
        const given = { language: 'py', code };
        assert.deepEqual(parseArguments(argumentText(args, given), args, untranslated), {
          values: given,
        });
      }),
    );
  });

  const bad: readonly (readonly [string, RegExp])[] = [
    ['{', /^This is not valid JSON: /],
    ['[]', /^The arguments must be an object/],
    ['null', /^The arguments must be an object/],
    ['{ "language": "py" }', /^The argument "code" is required\.$/],
    ['{ "language": 1, "code": "" }', /^The argument "language" must be a text in quotes\.$/],
    ['{ "language": "", "code": "", "x": "" }', /^The prompt has no argument "x"\.$/],
  ];
  for (const [text, problem] of bad)
    it(`says what is wrong with ${text}`, () => {
      const parsed = parseArguments(text, args, untranslated);
      assert.ok('problem' in parsed);
      assert.match(parsed.problem, problem);
    });
});
