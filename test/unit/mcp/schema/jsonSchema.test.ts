import assert from 'node:assert/strict';
import { createSchemaCheck } from '../../../../src/mcp/schema/jsonSchema';
import type { JsonSchema } from '../../../../src/mcp/protocol/types';

const object = (properties: object, more: object = {}): JsonSchema => ({
  type: 'object',
  properties,
  ...more,
});

const named = (type: string) => object({ a: { type } }, { $id: 'https://example.invalid/a' });

describe('Checking a value against a schema of a server', () => {
  // A machine that is busy takes its time for a harmless pattern too.
  const { check } = createSchemaCheck(5000);

  const invalid: readonly { what: string; schema: JsonSchema; value: unknown; says: RegExp }[] = [
    {
      what: 'a missing property',
      schema: object({ a: { type: 'number' } }, { required: ['a'] }),
      value: {},
      says: /must have required property 'a'/,
    },
    {
      what: 'a wrong type in a nested place',
      schema: object({ a: { type: 'array', items: { type: 'integer' } } }),
      value: { a: [1, 'x'] },
      says: /^"a\.1" must be integer$/,
    },
    {
      what: 'a property too many',
      schema: object({}, { additionalProperties: false }),
      value: { extra: 1 },
      says: /^The value must not have the property "extra"$/,
    },
    {
      what: 'a value outside of an enumeration',
      schema: object({ a: { enum: ['x', 'y'] } }),
      value: { a: 'z' },
      says: /^"a" must be one of \["x","y"\]$/,
    },
    {
      what: 'a wrong constant',
      schema: object({ a: { const: 1 } }),
      value: { a: 2 },
      says: /^"a" must be 1$/,
    },
    {
      what: 'a wrong format',
      schema: object({ a: { type: 'string', format: 'email' } }),
      value: { a: 'nobody' },
      says: /must match format "email"/,
    },
    {
      what: 'a text that a pattern does not match',
      schema: object({ a: { type: 'string', pattern: '^a+$' } }),
      value: { a: 'b' },
      says: /must match pattern/,
    },
    {
      what: 'a pattern that is only valid without the Unicode flag',
      schema: object({ a: { type: 'string', pattern: '^[\\w-.]+$' } }),
      value: { a: '!' },
      says: /must match pattern/,
    },
    {
      what: 'tuples of draft 2020-12',
      schema: object({ a: { prefixItems: [{ type: 'string' }] } }),
      value: { a: [1] },
      says: /^"a\.0" must be string$/,
    },
    {
      what: 'tuples of draft-07',
      schema: object(
        { a: { items: [{ type: 'string' }] } },
        { $schema: 'http://json-schema.org/draft-07/schema#' },
      ),
      value: { a: [1] },
      says: /^"a\.0" must be string$/,
    },
  ];

  for (const { what, schema, value, says } of invalid)
    it(`names ${what}`, async () => {
      const verdict = await check(schema, value);
      assert.equal(verdict.kind, 'invalid');
      assert.match(verdict.kind === 'invalid' ? verdict.problems.join('\n') : '', says);
    });

  it('takes a value that fits, with definitions inside the schema', async () => {
    const schema = object({ a: { $ref: '#/$defs/word' } }, { $defs: { word: { type: 'string' } } });
    assert.deepEqual(await check(schema, { a: 'x' }), { kind: 'valid' });
  });

  it('does not fetch a reference to elsewhere, and says so', async () => {
    const fetched: unknown[] = [];
    const original = globalThis.fetch;
    globalThis.fetch = (input) => {
      fetched.push(input);
      return Promise.reject(new Error('fetched'));
    };
    try {
      const schema = object({ a: { $ref: 'https://example.invalid/schema.json' } });
      const verdict = await check(schema, { a: 1 });
      assert.equal(verdict.kind, 'unchecked');
      assert.deepEqual(fetched, []);
    } finally {
      globalThis.fetch = original;
    }
  });

  it('gives up on a pattern that does not finish', async () => {
    const schema = object({ a: { type: 'string', pattern: '^(a+)+$' } });
    const hurried = createSchemaCheck(500);
    const verdict = await hurried.check(schema, { a: `${'a'.repeat(50)}!` });
    assert.equal(verdict.kind, 'unchecked');
    assert.deepEqual(await hurried.check(schema, { a: 'aaa' }), { kind: 'valid' });
  });

  it('gives up on a pattern that is none', async () => {
    const verdict = await check(object({ a: { type: 'string', pattern: '(' } }), { a: 'x' });
    assert.equal(verdict.kind, 'unchecked');
  });

  it('gives up on a schema that is too large', async () => {
    const verdict = await check(object({ a: { description: 'x'.repeat(1_000_001) } }), {});
    assert.deepEqual(verdict, { kind: 'unchecked', reason: 'The schema is too large.' });
  });

  it('tells schemas of one name apart', async () => {
    assert.equal((await check(named('string'), { a: 'x' })).kind, 'valid');
    assert.equal((await check(named('number'), { a: 'x' })).kind, 'invalid');
  });
});
