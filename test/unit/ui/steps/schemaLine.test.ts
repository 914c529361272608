import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { addSchemaLine, removeSchemaLine } from '../../../../src/ui/steps/schemaLine';

describe('the line that names the schema', () => {
  for (const text of ['{}', '{\n}\n', '{ "a": 1 }', '{\n  "a": "b"\n}\n'])
    it(`keeps ${JSON.stringify(text)} valid and comes off again`, () => {
      const added = addSchemaLine(text);
      assert.equal((JSON.parse(added) as Record<string, unknown>)['$schema'], './schema.json');
      assert.deepEqual(JSON.parse(removeSchemaLine(added)), JSON.parse(text));
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
