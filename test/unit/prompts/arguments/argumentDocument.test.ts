import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  argumentSchema,
  argumentText,
  findMissing,
  parseArguments,
} from '../../../../src/prompts/arguments/argumentDocument';

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
        language: { type: 'string', title: 'Language', description: 'Of the code', minLength: 1 },
        code: { type: 'string', minLength: 1 },
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
        assert.deepEqual(parseArguments(argumentText(args, given), args), {
          values: given,
        });
      }),
    );
  });

  it('takes no name for given that every object has', () => {
    for (const name of ['constructor', 'toString', '__proto__']) {
      const own = [{ name, required: true }];
      const text = argumentText(own, {});
      assert.deepEqual(parseArguments(text, own), { values: Object.fromEntries([[name, '']]) });
      assert.equal(findMissing(own, {})?.name, name);
    }
  });

  const missing: readonly (readonly [string, string | undefined])[] = [
    ['{ "language": "py" }', 'code'],
    ['{ "language": "", "code": "x" }', 'language'],
    ['{ "language": "", "code": "" }', 'language'],
    ['{ "language": "py", "code": " " }', undefined],
    ['{ "language": "py", "code": "x", "style": "" }', undefined],
  ];
  for (const [text, name] of missing)
    it(`misses ${name ?? 'nothing'} in ${text}, as the steps would, and keeps what is there`, () => {
      const parsed = parseArguments(text, args);
      assert.ok('values' in parsed);
      assert.deepEqual(parsed.values, JSON.parse(text));
      assert.equal(findMissing(args, parsed.values)?.name, name);
    });

  it('asks for every required text that nobody gave yet', () => {
    const parsed = parseArguments(argumentText(args, {}), args);
    assert.ok('values' in parsed && findMissing(args, parsed.values));
  });

  const bad: readonly (readonly [string, string, string?])[] = [
    ['{', 'syntax'],
    ['[]', 'noObject'],
    ['null', 'noObject'],
    ['{ "language": 1, "code": "" }', 'noText', 'language'],
    ['{ "language": "", "code": "", "x": "" }', 'unknown', 'x'],
  ];
  for (const [text, kind, name] of bad)
    it(`finds ${kind} in ${text}`, () => {
      const parsed = parseArguments(text, args);
      assert.ok('problem' in parsed);
      const { problem } = parsed;
      assert.deepEqual([problem.kind, 'name' in problem ? problem.name : undefined], [kind, name]);
    });
});
