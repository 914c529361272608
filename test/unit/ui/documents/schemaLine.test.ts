import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { stripComments } from 'jsonc-parser';
import {
  addSchemaLine,
  removeSchemaLine,
  withSchemaLine,
} from '../../../../src/ui/documents/schemaLine';
import { schemaCheck } from '../../../support/schemaChecks';

describe('the line that names the schema', () => {
  for (const text of ['{}', '{\n}\n', '{ "a": 1 }', '{\n  "a": "b"\n}\n'])
    it(`keeps ${JSON.stringify(text)} valid and comes off again`, () => {
      const added = addSchemaLine(text);
      assert.equal((JSON.parse(added) as Record<string, unknown>)['$schema'], './schema.json');
      assert.deepEqual(JSON.parse(removeSchemaLine(added)), JSON.parse(text));
    });

  for (const text of ['{\n  // a\n}\n', '{\n  /* } */\n}'])
    it(`keeps comments, adds no comma before the end and comes off again: ${JSON.stringify(text)}`, () => {
      const added = addSchemaLine(text);
      const read = JSON.parse(stripComments(added)) as Record<string, unknown>;
      assert.equal(read['$schema'], './schema.json');
      assert.equal(removeSchemaLine(added), text);
    });

  for (const text of [
    '{ "a": 1, "$schema": "./schema.json" }',
    '{ "a": 1, "$schema": "./schema.json", "b": 2 }',
    '{\n  "a": 1,\n\n  "$schema" : "./schema.json"\n}',
  ])
    it(`comes off wherever it was moved: ${JSON.stringify(text)}`, () => {
      const { $schema: _gone, ...rest } = JSON.parse(text) as Record<string, unknown>;
      assert.deepEqual(JSON.parse(removeSchemaLine(text)), rest);
    });

  const nested = '"config": { "$schema": "./schema.json", "a": 1 }';
  for (const [what, text, left] of [
    ['in front', `{\n  "$schema": "./schema.json",\n  ${nested}\n}\n`, `{\n  ${nested}\n}\n`],
    ['behind', `{ ${nested}, "$schema": "./schema.json" }`, `{ ${nested} }`],
    ['gone', `{ ${nested} }`, `{ ${nested} }`],
    ['in a text that is no JSON', `{ "$schema": "./schema.json", ${nested}`, `{${nested}`],
    ['of another schema', `{ "$schema": "./mine.json", ${nested} }`, undefined],
    ['in a text', String.raw`{ "a": "{\"$schema\": \"./schema.json\", }" }`, undefined],
    ['in a list', '[{ "$schema": "./schema.json" }]', undefined],
  ] as const)
    it(`is the only member that comes off, and stands ${what}`, () => {
      assert.equal(removeSchemaLine(text), left ?? text);
    });

  for (const [what, text] of [
    ['in a text', `"${' '.repeat(300_000)}x"`],
    ['in a text behind a brace', `"{${' '.repeat(300_000)}x"`],
    ['before a value', `${' '.repeat(300_000)}1`],
    ['before the end', `1${' '.repeat(300_000)}`],
  ] as const)
    it(`takes no time for blanks ${what}`, function () {
      this.timeout(5000);
      const shown = addSchemaLine(`{ "a": ${text} }`);
      assert.deepEqual(Object.keys(JSON.parse(removeSchemaLine(shown)) as object), ['a']);
      removeSchemaLine(`{ "a": ${text} }`);
    });

  for (const schema of [
    { type: 'object', properties: { a: { type: 'number' } }, additionalProperties: false },
    { type: 'object', additionalProperties: { type: 'number' } },
    { type: 'object', propertyNames: { maxLength: 1 }, minProperties: 1, maxProperties: 1 },
    ...['oneOf', 'anyOf', 'allOf'].map((several) => ({
      type: 'object',
      [several]: [{ properties: { a: { type: 'number' } }, additionalProperties: false }],
    })),
    { if: false, else: { properties: { a: { type: 'number' } }, additionalProperties: false } },
  ])
    it(`is no mistake to the schema: ${JSON.stringify(schema)}`, async () => {
      const check = schemaCheck();
      const validationOf = async (text: string) =>
        (await check.check(withSchemaLine(schema), JSON.parse(text) as object)).kind;
      assert.equal(await validationOf(addSchemaLine('{ "a": 1 }')), 'valid');
      if ('minProperties' in schema)
        assert.equal(await validationOf(addSchemaLine('{}')), 'invalid');
      else assert.equal(await validationOf('{ "a": "x" }'), 'invalid');
    });

  it('changes no other member, whatever it holds', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), (value) => {
        const text = JSON.stringify(value, undefined, 2);
        fc.pre(!('$schema' in value));
        assert.deepEqual(JSON.parse(removeSchemaLine(addSchemaLine(text))), JSON.parse(text));
      }),
    );
  });
});
