import assert from 'node:assert/strict';
import type { JsonRecord } from '../../../src/base/json';
import { modelDefinition, modelSchema } from '../../../src/contracts/modelSchema';
import { hostileSchemas, parts } from '../../fixtures/hostile/schemas';

const { text, none, a } = parts;

/** Returns the root without the words that tell what else there is. */
const withoutWords = ({ description: _told, ...rest }: JsonRecord): JsonRecord => rest;

describe('The schema of a tool that a model gets', () => {
  for (const [what, [schema, expected]] of Object.entries(hostileSchemas))
    it(`is one that strict providers accept where the server sends ${what}`, () => {
      const before = structuredClone(schema);
      const inputSchema = modelSchema(schema);
      assert.deepEqual(withoutWords(inputSchema), withoutWords(expected));
      if ('description' in expected)
        assert.equal(inputSchema['description'], expected['description']);
      // The gate checks against what the server sent.
      assert.deepEqual(schema, before);
      assert.deepEqual(modelSchema(inputSchema), inputSchema);
      const tool = { name: 'tool', inputSchema: schema };
      assert.deepEqual(modelDefinition(tool).inputSchema, inputSchema);
    });

  it('stays as it is where it is fine', () => {
    const fine = {
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      description: 'Both.',
      properties: {
        name: { type: 'string', minLength: 1, pattern: '^a', default: 'a', examples: ['a'] },
        kind: { enum: ['x', 'y'] },
        many: { type: ['array', 'null'], items: { $ref: '#/$defs/one' }, uniqueItems: true },
        any: { anyOf: [text, { type: 'null' }], 'x-note': [1] },
        one: { oneOf: [{ const: 1 }, { const: 2 }], deprecated: true },
      },
      required: ['name'],
      additionalProperties: false,
      $defs: { one: { type: 'object', properties: {}, patternProperties: { '^x': text } } },
    };
    assert.deepEqual(modelSchema(fine), fine);
  });

  it('tells in words what a model would not know of alternatives', () => {
    const schema = { ...none, anyOf: [{ required: ['a'] }, { required: ['b'] }] };
    assert.equal(
      modelSchema({ ...schema, description: 'One.' })['description'],
      'One.\nMust also match: {"anyOf":[{"required":["a"]},{"required":["b"]}]}',
    );
    const long = { ...none, allOf: Array.from({ length: 200 }, () => a) };
    assert.equal(modelSchema(long)['description'], undefined);
  });

  it('has no reference that is too long to be followed', () => {
    const name = 'a'.repeat(1000);
    const schema = { properties: { a: { $ref: `#/$defs/${name}` } }, $defs: { [name]: text } };
    assert.deepEqual(modelSchema(schema)['properties'], { a: {} });
  });

  it('takes no time to speak of where its references multiply', () => {
    const allOf = Array.from({ length: 50 }, () => ({ $ref: '#/$defs/a' }));
    const schema = { allOf, $defs: { a: { ...a, allOf } } };
    const began = Date.now();
    assert.deepEqual(modelSchema(schema)['properties'], { a: text });
    assert.ok(Date.now() - began < 500);
  });

  const names = Array.from({ length: 9000 }, (_, at) => `n${at.toString(36)}`);
  const many = Object.fromEntries(names.map((name) => [name, {}]));
  const all = Array.from({ length: 190 }, () => ({ $ref: '#/$defs/a' }));
  const large: readonly [what: string, schema: JsonRecord][] = [
    ['requires many names', { anyOf: all, $defs: { a: { required: names } } }],
    ['has many properties', { allOf: all, $defs: { a: { properties: many } } }],
    ['has many keywords', { allOf: all, $defs: { a: many } }],
  ];
  for (const [what, schema] of large)
    it(`takes no time to speak of where what its references lead to ${what}`, () => {
      const { user } = process.cpuUsage();
      modelSchema(schema);
      assert.ok(process.cpuUsage().user - user < 500_000);
    });
});
