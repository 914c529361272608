import assert from 'node:assert/strict';
import { definitionProblem, modelDefinition } from '../../../src/contracts/modelSchema';
import type { Tool } from '../../../src/mcp/protocol/types';

const tool = (part: Partial<Tool>): Tool => ({ name: 'tool', inputSchema: {}, ...part });

const nested = (depth: number) => {
  let schema: Record<string, unknown> = {};
  for (let i = 1; i < depth; i += 1) schema = { not: schema };
  return schema;
};

describe('What a model is told of a tool', () => {
  const evil = 'a\u{E0041}\u200Bb';
  const shown = 'a⟨U+E0041⟩⟨U+200B⟩b';

  it('has the hidden characters of all words made visible, wherever they stand', () => {
    const schema = (words: string) => ({
      type: 'object',
      title: words,
      description: words,
      properties: {
        description: { type: 'array', description: words, items: { title: words } },
        enum: { description: words, anyOf: [{ 'x-note': [words, { more: words }] }] },
      },
      $defs: { one: { $comment: words } },
      properties2: words,
    });
    const { description, inputSchema } = modelDefinition(
      tool({ description: evil, inputSchema: schema(evil) }),
    );
    assert.equal(description, shown);
    assert.deepEqual(inputSchema, schema(shown));
  });

  it('keeps names and values that a call must have', () => {
    const inputSchema = {
      type: 'object',
      properties: { [evil]: { enum: [evil], const: evil, default: { deep: evil }, pattern: evil } },
      required: [evil],
      dependentRequired: { [evil]: [evil] },
      minimum: 3,
      additionalProperties: false,
    };
    assert.deepEqual(modelDefinition(tool({ inputSchema })).inputSchema, inputSchema);
  });

  it('has the size that it states', () => {
    const { description, inputSchema, bytes } = modelDefinition(tool({ description: evil }));
    assert.equal(bytes, Buffer.byteLength(JSON.stringify([description, inputSchema])));
  });

  const problems: readonly [what: string, part: Partial<Tool>, problem: RegExp | undefined][] = [
    ['nothing of a common tool', { description: 'x'.repeat(50_000) }, undefined],
    ['nothing of a schema of some depth', { inputSchema: nested(90) }, undefined],
    ['too deep', { inputSchema: nested(101) }, /deep/],
    ['too deep by far', { inputSchema: nested(50_000) }, /deep|more than/],
    ['too long a description', { description: 'x'.repeat(100_001) }, /more than 100 kB/],
    ['too long a schema', { inputSchema: { enum: ['x'.repeat(100_001)] } }, /more than 100 kB/],
  ];
  for (const [what, part, problem] of problems)
    it(`is refused for: ${what}`, () => {
      const said = definitionProblem(tool(part));
      if (problem) assert.match(said ?? '', problem);
      else assert.equal(said, undefined);
    });
});
