import assert from 'node:assert/strict';
import { stripComments } from 'jsonc-parser';
import { readFields } from '../../../../src/ui/steps/schemaFields';
import { maxSkeletonFields, skeletonOf } from '../../../../src/ui/steps/skeleton';

function skeleton(property: object, root: object = {}) {
  const schema = { type: 'object', properties: { it: property }, ...root };
  const [field] = readFields(schema);
  assert.ok(field);
  return skeletonOf(field, schema);
}

const parsed = (text: string): unknown => (JSON.parse(stripComments(text)) as { it: unknown }).it;

describe('The skeleton of a value', () => {
  const person = {
    type: 'object',
    description: 'Who it is about',
    properties: {
      name: { type: 'string', description: 'The full name,\nas in a passport' },
      age: { type: 'integer' },
      role: { type: 'string', enum: ['admin', 'guest'] },
      unit: { type: 'string', default: 'cm' },
      nick: { type: 'string' },
      tags: { type: 'array', items: { type: 'string' } },
      address: {
        type: 'object',
        required: ['city'],
        properties: { city: { type: 'string' }, zip: { type: 'string' } },
      },
    },
    required: ['name', 'age', 'role', 'unit', 'tags', 'address'],
  };

  it('has what is required, with descriptions as comments, and names the rest', () => {
    const { text } = skeleton(person);
    assert.equal(
      text,
      `{
  // Who it is about
  "it": {
    // The full name, as in a passport
    "name": "",
    "age": null,
    "role": "",
    "unit": "cm",
    "tags": [],
    "address": {
      "city": ""
      // Can be added: zip
    }
    // Can be added: nick
  }
}
`,
    );
  });

  for (const [what, property, value] of [
    ['an object', person, undefined],
    ['a list of objects', { type: 'array', items: person }, undefined],
    ['a list of lists', { type: 'array', items: { type: 'array', items: person } }, undefined],
    ['an object of anything', { type: 'object' }, {}],
    ['a list of anything', { type: 'array' }, []],
    ['anything', {}, {}],
    [
      'a constant in an object',
      { type: 'object', required: ['v'], properties: { v: { const: 1 } } },
      { v: 1 },
    ],
  ] as const)
    it(`is JSON with comments: ${what}`, () => {
      const read = parsed(skeleton(property).text);
      if (value !== undefined) assert.deepEqual(read, value);
      else assert.match(JSON.stringify(read), /"city":""/);
    });

  it('selects the first value to fill in', () => {
    for (const [property, before, selected] of [
      [person, '"name": "', ''],
      [{ type: 'array', items: person }, '"name": "', ''],
      [{ type: 'object', required: ['n'], properties: { n: { type: 'number' } } }, '"n": ', 'null'],
    ] as const) {
      const { text, hole } = skeleton(property);
      assert.ok(hole);
      assert.ok(text.slice(0, hole.offset).endsWith(before), text.slice(0, hole.offset));
      assert.equal(text.slice(hole.offset, hole.offset + hole.length), selected);
    }
    assert.equal(skeleton({ type: 'object' }).hole, undefined);
  });

  it('follows references inside the schema, and ends with those that lead to themselves', () => {
    const node = {
      type: 'object',
      required: ['next', 'id'],
      properties: { id: { type: 'string' }, next: { $ref: '#/$defs/node' } },
    };
    const { text } = skeleton({ $ref: '#/$defs/node' }, { $defs: { node } });
    assert.equal(text.match(/"id": ""/g)?.length, 4);
    parsed(text);
  });

  it('stays small, and lets no name or description out of its place', () => {
    const names = Array.from({ length: 5000 }, (_, index) => `"\n}${index}`);
    const properties = Object.fromEntries(
      names.map((name) => [
        name,
        { type: 'string', description: `*/\n"evil": 1,\r\u2028${'x'.repeat(5000)}` },
      ]),
    );
    const { text } = skeleton({ type: 'object', properties, required: names });
    const read = parsed(text) as object;
    assert.equal(Object.keys(read).length, maxSkeletonFields);
    assert.ok(text.length < 50_000);
  });
});
