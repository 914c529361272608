import assert from 'node:assert/strict';
import type { Json } from '../../../../src/mcp/protocol/types';
import {
  fieldText,
  parseFieldText,
  readFields,
  type FieldKind,
} from '../../../../src/ui/steps/schemaFields';

function fieldOf(property: object, root: object = {}) {
  const [field] = readFields({ type: 'object', properties: { it: property }, ...root });
  assert.ok(field);
  return field;
}

const options = (...titles: [Json, string][]) => titles.map(([value, title]) => ({ value, title }));

describe('The fields of a schema', () => {
  const kinds: readonly [what: string, property: object, kind: FieldKind][] = [
    ['a text', { type: 'string' }, { kind: 'text' }],
    ['a text of a format', { type: 'string', format: 'date' }, { kind: 'text', format: 'date' }],
    ['a number', { type: 'number' }, { kind: 'number', integer: false }],
    ['a whole number', { type: 'integer' }, { kind: 'number', integer: true }],
    [
      'a truth value',
      { type: 'boolean' },
      { kind: 'choice', options: options([true, 'true'], [false, 'false']) },
    ],
    [
      'an enumeration',
      { enum: ['a', 1, null] },
      { kind: 'choice', options: options(['a', 'a'], [1, '1'], [null, 'null']) },
    ],
    [
      'an enumeration with names, as of older revisions',
      { type: 'string', enum: ['a', 'b'], enumNames: ['Letter A'] },
      { kind: 'choice', options: options(['a', 'Letter A'], ['b', 'b']) },
    ],
    [
      'constants with titles',
      { oneOf: [{ const: 's', title: 'Small' }, { const: 'l' }] },
      { kind: 'choice', options: options(['s', 'Small'], ['l', 'l']) },
    ],
    [
      'several of an enumeration',
      { type: 'array', items: { enum: ['a', 'b'] } },
      { kind: 'choices', options: options(['a', 'a'], ['b', 'b']) },
    ],
    [
      'several constants with titles',
      { type: 'array', items: { anyOf: [{ const: 'a', title: 'A' }] } },
      { kind: 'choices', options: options(['a', 'A']) },
    ],
    ['a list of texts', { type: 'array', items: { type: 'string' } }, { kind: 'list' }],
    [
      'a list of whole numbers',
      { type: 'array', items: { type: 'integer' } },
      { kind: 'list', ofNumbers: { integer: true } },
    ],
    ['a list of objects', { type: 'array', items: { type: 'object' } }, { kind: 'json' }],
    ['a list of anything', { type: 'array' }, { kind: 'json' }],
    ['an object', { type: 'object', properties: { a: {} } }, { kind: 'json' }],
    ['anything', {}, { kind: 'json' }],
    ['a text or null', { anyOf: [{ type: 'string' }, { type: 'null' }] }, { kind: 'text' }],
    ['a number or null', { type: ['number', 'null'] }, { kind: 'number', integer: false }],
    ['a text or a number', { type: ['number', 'string'] }, { kind: 'json' }],
    ['a reference to elsewhere', { $ref: 'https://example.invalid/x' }, { kind: 'json' }],
  ];
  for (const [what, property, kind] of kinds)
    it(`ask for ${what}`, () => assert.deepEqual(fieldOf(property).kind, kind));

  it('follow references inside the schema, and stop at circles', () => {
    const $defs = {
      size: { enum: ['s'] },
      'a/b': { type: 'integer' },
      loop: { $ref: '#/$defs/loop' },
    };
    assert.equal(fieldOf({ $ref: '#/$defs/size' }, { $defs }).kind.kind, 'choice');
    assert.equal(fieldOf({ $ref: '#/$defs/a~1b' }, { $defs }).kind.kind, 'number');
    assert.equal(fieldOf({ $ref: '#/$defs/loop' }, { $defs }).kind.kind, 'json');
    assert.equal(fieldOf({ $ref: '#/$defs/%zz' }, { $defs }).kind.kind, 'json');
  });

  for (const [what, $ref, $defs] of [
    ['are long', `#/${'a/'.repeat(20_000)}`, {}],
    [
      'lead to what is large',
      '#/$defs/a',
      { a: Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`x${index}`, 1])) },
    ],
  ] as const)
    it(`take no time where many references ${what}`, () => {
      const names = Array.from({ length: 1000 }, (_, index) => [`p${index}`, { $ref }]);
      const begun = process.cpuUsage();
      const fields = readFields({ properties: Object.fromEntries(names), $defs });
      assert.ok(process.cpuUsage(begun).user < 5_000_000);
      assert.equal(fields.length, 1000);
      assert.deepEqual(fields.at(-1)?.kind, { kind: 'json' });
    });

  it('come in the schema’s order, with titles and defaults', () => {
    const fields = readFields({
      properties: {
        b: { type: 'string', title: 'The B', default: 'x' },
        a: { type: 'string', description: 'About a' },
        c: { type: 'string', default: null },
      },
      required: ['a', 'missing'],
    });
    assert.deepEqual(
      fields.map(({ name, title, required, default: initial, description }) => [
        name,
        title,
        required,
        initial,
        description,
      ]),
      [
        ['b', 'The B', false, 'x', undefined],
        ['a', 'a', true, undefined, 'About a'],
        ['c', 'c', false, undefined, undefined],
      ],
    );
  });

  it('are none of a schema without properties, or with broken ones', () => {
    assert.deepEqual(readFields({ type: 'object' }), []);
    assert.deepEqual(readFields({ properties: 5 }), []);
    assert.equal(readFields({ properties: { a: 5 } })[0]?.kind.kind, 'json');
  });

  const texts: readonly [property: object, text: string, value: Json | undefined][] = [
    [{ type: 'string' }, ' 5 ', ' 5 '],
    [{ type: 'number' }, '-1.5e3', -1500],
    [{ type: 'number' }, 'Infinity', undefined],
    [{ type: 'number' }, ' ', undefined],
    [{ type: 'integer' }, '7', 7],
    [{ type: 'integer' }, '7.5', undefined],
    [{ type: 'array', items: { type: 'string' } }, 'a b\r\nc\n', ['a b', 'c']],
    [{ type: 'array', items: { type: 'string' } }, '["a\\nb", ""]', ['a\nb', '']],
    [{ type: 'array', items: { type: 'string' } }, '["a"', undefined],
    [{}, '{"a": [1]}', { a: [1] }],
    [{}, 'plain', undefined],
  ];
  for (const [property, text, value] of texts)
    it(`read ${JSON.stringify(text)} as ${JSON.stringify(value) ?? 'nothing'}`, () => {
      const parsed = parseFieldText(fieldOf(property), text);
      assert.deepEqual('value' in parsed ? parsed.value : undefined, value);
    });

  for (const [property, text] of [
    [{ type: 'integer' }, ' 9007199254740993 '],
    [{ type: 'integer' }, '0x20000000000001'],
    [{ type: 'number' }, '0.10000000000000000001'],
    [{}, '{ "a": 9007199254740993 }'],
    [{ type: ['integer', 'string'] }, '9007199254740993'],
    [{ type: 'array', items: { type: 'string' } }, '[9007199254740993]'],
  ] as const)
    it(`refuse ${text}, which would be sent as another number`, () => {
      const parsed = parseFieldText(fieldOf(property), text);
      assert.equal('problem' in parsed && parsed.problem, 'inexact');
    });

  for (const [text, value] of [
    [' 9007199254740992 ', 9007199254740992],
    ['+1.50', 1.5],
    ['.5', 0.5],
    ['1.', 1],
    ['0xff', 255],
    ['1e3', 1000],
  ] as const)
    it(`take the number ${text}`, () =>
      assert.deepEqual(parseFieldText(fieldOf({ type: 'number' }), text), { value }));

  const values: readonly [property: object, value: Json][] = [
    [{ type: 'string' }, 'a\nb'],
    [{ type: 'number' }, 1e21],
    [{ type: 'array', items: { type: 'string' } }, ['a', 'b c']],
    [{ type: 'array', items: { type: 'string' } }, ['a\nb', '']],
    [{ type: 'array', items: { type: 'string' } }, ['[x']],
    [{ type: 'array', items: { type: 'string' } }, []],
    [{}, { a: { b: ['c'] } }],
  ];
  for (const [property, value] of values)
    it(`write ${JSON.stringify(value)} so that it is read back`, () => {
      const field = fieldOf(property);
      assert.deepEqual(parseFieldText(field, fieldText(value)), { value });
    });
});
