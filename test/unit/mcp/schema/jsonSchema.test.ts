import assert from 'node:assert/strict';
import { inEnglish } from '../../../../src/base/translate';
import type { JsonSchema } from '../../../../src/mcp/protocol/types';
import { problemsText } from '../../../../src/mcp/schema/words';
import {
  maxFollowed,
  maxReferenceLength,
  SchemaReferences,
} from '../../../../src/mcp/schema/jsonSchema';
import { schemaCheck } from '../../../support/schemaChecks';

const object = (properties: object, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});

const named = (type: string) => object({ a: { type } }, { $id: 'https://example.invalid/a' });
const draft7 = { $schema: 'http://json-schema.org/draft-07/schema#' };
const list = { type: 'array', items: { type: 'number' }, minItems: 2, maxItems: 3 };
const forms = {
  oneOf: [
    object({ kind: { const: 'a' }, n: { type: 'number' } }, { required: ['kind', 'n'] }),
    object({ kind: { const: 'b' }, s: { type: 'string' } }, { required: ['kind', 's'] }),
  ],
};

describe('Checking a value against a schema of a server', function () {
  this.timeout(30_000);
  const { check } = schemaCheck();

  const invalid: [what: string, schema: JsonSchema, value: unknown, says: string][] = [
    ['a missing property', object({}, { required: ['y'] }), {}, '"y" is missing'],
    [
      'a missing property with the name of a method',
      object({}, { required: ['toString'] }),
      {},
      '"toString" is missing',
    ],
    [
      'each missing property, deep inside',
      object({ a: object({}, { required: ['b', 'c'] }) }),
      { a: {} },
      '"a.b" is missing. "a.c" is missing',
    ],
    [
      'what one property makes necessary',
      object({}, { dependentRequired: { a: ['b', 'c'] } }),
      { a: 1, b: 1 },
      '"c" is missing',
    ],
    [
      'a wrong type in a nested place',
      object({ a: { type: 'array', items: { type: 'integer' } } }),
      { a: [1, 'x'] },
      '"a.1": must be a whole number',
    ],
    ['a wrong type of the whole', { type: 'array' }, 1, 'Must be a list'],
    [
      'types to choose from',
      { type: ['boolean', 'object'] },
      1,
      'Must be true or false or an object',
    ],
    [
      'a property too many',
      object({}, { additionalProperties: false }),
      { extra: 1 },
      '"extra" is not allowed',
    ],
    [
      'a property that nothing speaks of',
      object({}, { unevaluatedProperties: false }),
      { extra: 1 },
      '"extra" is not allowed',
    ],
    [
      'a name that is not allowed',
      object({}, { propertyNames: { pattern: '^a' } }),
      { b: 1 },
      '"b" is not an allowed name',
    ],
    [
      'a value outside of an enumeration',
      object({ a: { enum: ['x', 'y'] } }),
      { a: 'z' },
      '"a": must be one of "x", "y"',
    ],
    ['a wrong constant', object({ a: { const: 1 } }), { a: 2 }, '"a": must be 1'],
    ['a short text', { minLength: 2 }, 'x', 'At least 2 characters'],
    ['an empty text', { minLength: 1 }, '', 'Must not be empty'],
    ['a short list', list, [1], 'At least 2 entries'],
    ['a long list', list, [1, 2, 3, 4], 'At most 3 entries'],
    ['a small number', { minimum: 3 }, 2, 'Must be 3 or more'],
    ['a number that is no multiple', { multipleOf: 3 }, 2, 'Must be a multiple of 3'],
    ['equal entries', { uniqueItems: true }, [1, 1], 'Entries must be unique'],
    ['what must not be', { not: { type: 'string' } }, 'x', 'Not an allowed value'],
    [
      'a text that a pattern does not match',
      { pattern: '^a+$' },
      'b',
      'Must match the pattern ^a+$',
    ],
    [
      'a pattern that is only valid without the Unicode flag',
      { pattern: '^[\\w-.]+$' },
      '!',
      'Must match the pattern ^[\\w-.]+$',
    ],
    [
      'all types of a value with several',
      { anyOf: [{ type: 'string' }, { type: 'null' }] },
      3,
      'Must be text or null',
    ],
    [
      'the one form that a value comes close to',
      { anyOf: [{ type: 'string', minLength: 3 }, { type: 'null' }] },
      'x',
      'At least 3 characters',
    ],
    ['the form that a constant tells', forms, { kind: 'b' }, '"s" is missing'],
    ['a value that fits no form', forms, { kind: 'c' }, 'Matches none of the alternatives'],
    [
      'a value that fits more than one form',
      { oneOf: [{ type: 'string' }, { minLength: 1 }] },
      'x',
      'Matches more than one alternative where only one is allowed',
    ],
    ['tuples of draft 2020-12', { prefixItems: [{ type: 'string' }] }, [1], '"0": must be text'],
    ['tuples of draft-07', { ...draft7, items: [{ type: 'string' }] }, [1], '"0": must be text'],
    [
      'what a schema that stands for itself forbids',
      object({ v: { type: 'number' }, next: { $ref: '#' } }, { required: ['v'] }),
      { v: 1, next: { v: 1, next: {} } },
      '"next.next.v" is missing',
    ],
    [
      'what a schema beside a reference of draft-07 is for',
      object(
        { a: { $ref: '#/definitions/word' } },
        { ...draft7, definitions: { word: { type: 'string' } } },
      ),
      { a: 1 },
      '"a": must be text',
    ],
  ];

  for (const name of ['é', '城市', 'Größe', '🙂', 'a#b', 'a%b', 'a/b', 'a~b', 'a b', '%E9'])
    invalid.push(
      [
        `what a property called ${name} violates, and its neighbor`,
        object({ [name]: { maximum: 3 }, a: { type: 'string' } }),
        { [name]: 5, a: 1 },
        `"${name}": must be 3 or less. "a": must be text`,
      ],
      [
        `the types that a property called ${name} may have`,
        object({ [name]: { anyOf: [{ type: 'number' }, { type: 'boolean' }] } }),
        { [name]: 'x' },
        `"${name}": must be a number or true or false`,
      ],
    );
  for (const reference of ['#/$defs/Größe', '#/$defs/Gr%C3%B6%C3%9Fe', '#/$defs/Gr%c3%b6%c3%9fe'])
    for (const schema of [{}, draft7])
      invalid.push([
        `what is behind ${reference} (${schema === draft7 ? 'draft-07' : '2020-12'})`,
        { ...schema, properties: { a: { $ref: reference } }, $defs: { Größe: { maximum: 3 } } },
        { a: 5 },
        '"a": must be 3 or less',
      ]);
  for (const [what, schema, value, says] of invalid)
    it(`names ${what}`, async () => {
      const validation = await check(schema, value);
      assert.ok(validation.kind === 'invalid', JSON.stringify(validation));
      assert.equal(problemsText(validation.problems, inEnglish), says);
    });

  it('names 20 problems at most', async () => {
    const validation = await check(
      { items: { type: 'string' } },
      Array.from({ length: 500 }).fill(1),
    );
    assert.equal(validation.kind === 'invalid' && validation.problems.length, 20);
  });

  it('takes a value that fits, with definitions inside the schema', async () => {
    const schema = object({ a: { $ref: '#/$defs/word' } }, { $defs: { word: { type: 'string' } } });
    assert.deepEqual(await check(schema, { a: 'x' }), { kind: 'valid', notes: [] });
  });

  for (const name of ['a/b ~c%2F"', '城市', 'Größe', 'a#b?c'])
    it(`checks one property of an object, whatever its name is: ${name}`, async () => {
      const schema = object(
        { [name]: { $ref: '#/$defs/long' } },
        { $defs: { long: { minLength: 2 } } },
      );
      const validation = await check(schema, 'x', name);
      assert.ok(validation.kind === 'invalid', JSON.stringify(validation));
      assert.equal((await check(schema, 'xx', name)).kind, 'valid');
    });

  const formats: readonly [format: string, right: string, wrong: string, says: string][] = [
    ['email', 'ada@example.com', 'nobody', 'Not an email address'],
    ['uri', 'https://example.com/a?b#c', 'example.com', 'Not a URI like https://example.com/path'],
    ['date', '2024-02-29', '2023-02-29', 'Not a date like 2026-01-31'],
    [
      'date-time',
      '2026-01-31T12:00:00+01:00',
      '2026-01-31 noon',
      'Not a date and time like 2026-01-31T12:00:00Z',
    ],
    ['time', '23:59:60Z', '24:00:00Z', 'Not a time like 12:00:00Z'],
    ['uuid', '6a1f9b1e-3c1d-4b8e-9a51-0c9d1c1b2a3f', '6a1f', 'Not a UUID'],
    ['ipv4', '127.0.0.1', '256.1.1.1', 'Not an IP address'],
    ['ipv6', '::1', '1::2::3', 'Not an IP address'],
  ];
  for (const [format, right, wrong, says] of formats)
    for (const $schema of format === 'uuid' ? [undefined] : [undefined, draft7.$schema])
      it(`notes what is not of the format ${format}, and refuses nothing for it (${$schema ?? '2020-12'})`, async () => {
        const schema = object({ a: { format } }, $schema ? { $schema } : {});
        assert.deepEqual(await check(schema, { a: right }), { kind: 'valid', notes: [] });
        const validation = await check(schema, { a: wrong });
        const text = validation.kind === 'valid' ? problemsText(validation.notes, inEnglish) : '';
        assert.equal(text.replace('"a": n', 'N'), says);
      });

  it('says nothing of formats that it does not know', async () => {
    const schema = { format: 'constructor' };
    assert.deepEqual(await check(schema, 'x'), { kind: 'valid', notes: [] });
  });

  for (const address of [
    'https://example.invalid/schema.json',
    'file:///etc/hostname',
    'other.json',
  ])
    it(`fetches nothing: ${address}`, async () => {
      const validation = await check(object({ a: { $ref: address } }), { a: 1 });
      assert.ok(validation.kind === 'unchecked' && validation.reason === 'reference');
    });

  const unusable: readonly [what: string, schema: JsonSchema][] = [
    ['a pattern that is none', object({ a: { pattern: '(' } })],
    ['keywords of its own', { $vocabulary: { 'https://example.invalid/words': true } }],
    ['a requirement that is no list', object({}, { required: 1 })],
    ['a reference that leads nowhere', { $ref: '#/$defs/none' }],
  ];
  for (const [what, schema] of unusable)
    it(`gives up on ${what}, and checks the next as ever`, async () => {
      const validation = await check(schema, { a: 'x' });
      assert.ok(
        validation.kind === 'unchecked' && validation.reason === 'unusable',
        JSON.stringify(validation),
      );
      assert.equal((await check(object({ a: { type: 'number' } }), { a: 'x' })).kind, 'invalid');
    });

  it('tells schemas of one name apart', async () => {
    assert.equal((await check(named('string'), { a: 'x' })).kind, 'valid');
    assert.equal((await check(named('number'), { a: 'x' })).kind, 'invalid');
  });

  it('lets no schema take the place of those that all others rest on', async () => {
    const $id = 'https://json-schema.org/draft/2020-12/schema';
    await check({ $id, $defs: { a: { $id: `${$id}/inner` } } }, 1);
    await check({ $defs: { a: { $id } } }, 1);
    const schema = { $ref: $id };
    assert.equal((await check(schema, { type: 'string' })).kind, 'valid');
    assert.equal((await check(schema, { type: 1 })).kind, 'invalid');
    assert.equal((await check({ type: 'string' }, 1)).kind, 'invalid');
  });
});

describe('A reference within a schema', () => {
  const long = 'a'.repeat(maxReferenceLength);
  const root = { $defs: { 'a/b~': { type: 'string' }, 'a b': [{}], [long]: {} } };
  for (const [what, reference, target] of [
    ['the whole', '#', root],
    ['a name with signs of its own', '#/$defs/a~1b~0', { type: 'string' }],
    ['a name with a blank', '#/$defs/a%20b/0', {}],
    ['nothing, as it is malformed', '#/$defs/%zz', undefined],
    ['nothing, as every object has this name', '#/constructor', undefined],
    ['nothing here, but in another document', 'https://example.invalid/x', undefined],
    ['nothing, as it is too long', `#/$defs/${long}`, undefined],
  ] as const)
    it(`leads to ${what}`, () =>
      assert.deepEqual(new SchemaReferences(root).find(reference), target));

  for (const [what, large] of [
    ['a list of values', { enum: [long, long] }],
    ['a constant', { const: { long } }],
    ['names', Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`x${index}`, 1]))],
  ] as const)
    it(`is not followed without end where it leads to ${what}`, () => {
      const references = new SchemaReferences({ large });
      const tries = (2 * maxFollowed) / maxReferenceLength;
      const found = Array.from({ length: tries }, () => references.find('#/large'));
      assert.equal(found[0], large);
      assert.equal(found.at(-1), undefined);
      assert.ok(found.filter(Boolean).length <= maxFollowed / maxReferenceLength);
    });
});
