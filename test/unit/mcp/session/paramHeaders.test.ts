import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { JsonObject, JsonSchema } from '../../../../src/mcp/protocol/types';
import { paramHeaders, scanParamHeaders } from '../../../../src/mcp/session/paramHeaders';

const header = (name: unknown, type: unknown = 'string') => ({ type, 'x-mcp-header': name });
const object = (properties: object): JsonSchema => ({ type: 'object', properties });

/** Decodes the value of a header like a server. */
function decode(value: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(value)?.[1];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
}

describe('the headers of a call', () => {
  const schema = object({
    city: header('City'),
    count: header('Count', 'integer'),
    exact: header('Exact', 'boolean'),
    plain: { type: 'string' },
    where: object({ region: header('Region') }),
  });

  const table: readonly (readonly [string, JsonObject, object])[] = [
    [
      'repeat the arguments that are declared',
      { city: 'Oslo', count: 3, exact: false, plain: 'x', where: { region: 'EU' } },
      {
        'Mcp-Param-City': 'Oslo',
        'Mcp-Param-Count': '3',
        'Mcp-Param-Exact': 'false',
        'Mcp-Param-Region': 'EU',
      },
    ],
    ['leave out what is absent', {}, {}],
    ['leave out what is null', { city: null, where: null }, {}],
    ['leave out what is of another kind', { city: ['x'], count: 1.5, where: 'x' }, {}],
  ];
  for (const [name, args, headers] of table) {
    it(name, () => assert.deepEqual(paramHeaders(schema, args), headers));
  }

  for (const [value, plain] of [
    ['Oslo', true],
    ['a b\tc', true],
    ['Ørsted', false],
    ['日本', false],
    [' leading', false],
    ['trailing ', false],
    ['two\nlines', false],
    ['=?base64?T3Nsbw==?=', false],
    ['', false],
  ] as const) {
    it(`carry ${JSON.stringify(value)} ${plain ? 'as it is' : 'in Base64'}`, () => {
      const sent = paramHeaders(schema, { city: value })['Mcp-Param-City'];
      assert.equal(sent === value, plain);
      assert.equal(decode(sent ?? ''), value);
    });
  }

  it('arrive as they were meant and fit into HTTP, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        const sent = paramHeaders(schema, { city: value })['Mcp-Param-City'] ?? '';
        assert.equal(decode(sent), value);
        assert.match(sent, /^[\t\u0020-\u007e]*$/);
        assert.equal(new Headers({ x: sent }).get('x'), sent);
      }),
    );
  });

  it('can be as long as an argument is', () => {
    const long = 'ä'.repeat(500_000);
    assert.equal(decode(paramHeaders(schema, { city: long })['Mcp-Param-City'] ?? ''), long);
  });

  it('are none for a schema with invalid declarations', () =>
    assert.deepEqual(paramHeaders(object({ a: header('A b') }), { a: 'x' }), {}));

  it('take no value from what an argument inherits', () => {
    const inherited = object({ constructor: object({ name: header('Name') }) });
    assert.deepEqual(paramHeaders(inherited, {}), {});
  });
});

describe('the declarations of headers in a schema', () => {
  const valid: readonly (readonly [string, JsonSchema, readonly string[]])[] = [
    ['are none in a plain schema', object({ a: { type: 'string' } }), []],
    [
      'may be of a string, an integer or a boolean',
      object({ a: header('A'), b: header('B', 'integer'), c: header('C', 'boolean') }),
      ['A', 'B', 'C'],
    ],
    ['may stand deep', object({ a: object({ b: object({ c: header('C') }) }) }), ['C']],
    ['may be any token', object({ a: header("!#$%&'*+-.^_`|~09Az") }), ["!#$%&'*+-.^_`|~09Az"]],
    ['are no properties that are called so', object({ 'x-mcp-header': { type: 'string' } }), []],
    [
      'are not sought in values',
      { ...object({}), default: { 'x-mcp-header': 'X' }, enum: [header('X')] },
      [],
    ],
  ];
  for (const [name, schema, names] of valid) {
    it(name, () => {
      const scan = scanParamHeaders(schema);
      assert.ok('declarations' in scan, JSON.stringify(scan));
      assert.deepEqual(
        scan.declarations.map((one) => one.name),
        names,
      );
    });
  }

  const invalid: readonly (readonly [string, JsonSchema])[] = [
    ['of a number', object({ a: header('A', 'number') })],
    ['of an object', object({ a: header('A', 'object') })],
    ['of several types', object({ a: header('A', ['string', 'null']) })],
    ['without a type', object({ a: { 'x-mcp-header': 'A' } })],
    ['with an empty name', object({ a: header('') })],
    ['with a space in the name', object({ a: header('A b') })],
    ['with a colon in the name', object({ a: header('A:b') })],
    ['with a line end in the name', object({ a: header('A\r\nX-Evil: 1') })],
    ['with a name that is no text', object({ a: header(5) })],
    ['with a name that is null', object({ a: header(null) })],
    ['twice', object({ a: header('A'), b: header('A') })],
    ['twice in another case', object({ a: header('Abc'), b: header('aBC') })],
    ['on the schema itself', { ...object({}), 'x-mcp-header': 'A' }],
    ['on a schema of a string', header('A')],
    ['in items', object({ a: { type: 'array', items: header('A') } })],
    ['in a list of items', object({ a: { type: 'array', prefixItems: [header('A')] } })],
    ['in additional properties', { ...object({}), additionalProperties: header('A') }],
    ['in pattern properties', { ...object({}), patternProperties: { '^a': header('A') } }],
    ['in a definition', { ...object({}), $defs: { a: header('A') } }],
    ...['oneOf', 'anyOf', 'allOf'].map(
      (keyword) =>
        [`in ${keyword}`, { ...object({}), [keyword]: [object({ a: header('A') })] }] as const,
    ),
    ...['if', 'then', 'else', 'not'].map(
      (keyword) =>
        [`in ${keyword}`, { ...object({}), [keyword]: object({ a: header('A') }) }] as const,
    ),
  ];
  for (const [name, schema] of invalid) {
    it(`are refused ${name}`, () => assert.ok('problem' in scanParamHeaders(schema)));
  }

  it('are sought without end in no schema, however deep it is', () => {
    let schema: JsonSchema = header('A');
    for (let depth = 0; depth < 100_000; depth += 1) schema = object({ a: schema });
    assert.ok('problem' in scanParamHeaders(schema));
  });

  it('are read or refused, whatever a server sends', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        scanParamHeaders({ properties: value, items: value, 'x-mcp-header': undefined });
      }),
    );
  });
});
