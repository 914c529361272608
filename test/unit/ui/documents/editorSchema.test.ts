import assert from 'node:assert/strict';
import { editorSchema } from '../../../../src/ui/documents/schemaLine';

describe('A tool’s schema for the editor', () => {
  it('keeps what completes and checks', () => {
    const schema = {
      type: 'object',
      properties: {
        pattern: { type: 'string', pattern: '^[a-z]+$', description: 'Named like a keyword' },
        id: { enum: ['$ref', { $ref: 'a value, not a keyword' }] },
        tuple: { type: 'array', prefixItems: [{ type: 'string' }] },
      },
      required: ['pattern'],
    };
    assert.deepEqual(editorSchema(schema), schema);
  });

  it('has what references lead to in their place', () => {
    const part = { type: 'integer', default: { $ref: '#/a' } };
    const schema = {
      properties: { $ref: { $ref: '#/$defs/next', title: 'Mine' } },
      $defs: { part: { ...part, title: 'Its own' }, next: { $ref: '#/$defs/part' } },
    };
    assert.deepEqual(editorSchema(schema), {
      properties: { $ref: { ...part, title: 'Mine' } },
    });
  });

  const again = { $ref: '#' };
  const doubled = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => {
      const next = { $ref: `#/definitions/a${i + 1}` };
      return [`a${i}`, { allOf: [next, next] }];
    }),
  );
  const endless: readonly [what: string, schema: Readonly<Record<string, unknown>>][] = [
    ['itself', again],
    ['itself in all choices', { anyOf: [again, { properties: { a: again } }, { not: again }] }],
    ['itself in all items', { items: again, contains: again, additionalItems: again }],
    ['the next one twice', { ...doubled['a0'], definitions: doubled }],
    [
      'a long list',
      {
        items: { anyOf: Array.from({ length: 1000 }, () => ({ $ref: '#/$defs/list' })) },
        $defs: { list: { items: { enum: Array.from({ length: 10_000 }, (_, i) => i) } } },
      },
    ],
  ];
  for (const [what, schema] of endless)
    it(`has no reference that the editor would follow without end: to ${what}`, () => {
      const text = JSON.stringify(editorSchema(schema));
      assert.ok(!text.includes('"$ref"') && text.length < 1_000_000, `${text.length}`);
    });

  for (const pattern of [
    String.raw`^\d{4}-\d{2}-\d{2}$`,
    String.raw`^[a-z]+\.ts$`,
    '^(?:asc|desc)$',
    '(?:a|b)(?=c)',
  ])
    it(`keeps a pattern that is quick: ${pattern}`, () =>
      assert.deepEqual(editorSchema({ pattern }), { pattern }));

  const dropped: readonly [what: string, schema: object][] = [
    ['a reference to the network', { $ref: 'https://example.invalid/schema.json' }],
    ['a reference to a file', { $ref: 'file:///etc/passwd' }],
    ['a dynamic reference to elsewhere', { $dynamicRef: 'https://example.invalid/#x' }],
    ['Markdown with links', { markdownDescription: '[x](command:y)' }],
    ['snippets', { defaultSnippets: [{ label: 'x', body: {} }] }],
    ['a pattern that may not finish', { pattern: '^(a+)+$' }],
    ['a pattern with a back reference', { pattern: String.raw`(a)\1` }],
    ['a pattern with a reference by name', { pattern: String.raw`(?<a>a+)\k<a>` }],
    ['a pattern of many parts of any length', { pattern: `^${'a*'.repeat(10)}$` }],
    ['a pattern of many parts that may be missing', { pattern: `^${'a?'.repeat(30)}a{30}$` }],
    ['a pattern of several parts of any length', { pattern: '^a*a*b$' }],
    ['a pattern with a part of any length that may begin anywhere', { pattern: 'a*b' }],
    ['a pattern with such a part in one of its choices', { pattern: '^(?:x|a*b)' }],
    ['a pattern of many choices', { pattern: `^${'(a|a)'.repeat(26)}b$` }],
    ['a pattern of long parts', { pattern: 'a{999}'.repeat(30) }],
    ['a long pattern', { pattern: 'a{99}'.repeat(100) }],
    ['a pattern of many ranges', { pattern: 'a{1,}b{0,9}'.repeat(3) }],
    ['properties by pattern', { patternProperties: { '(a+)+': {} } }],
    ['a schema of its schema', { $schema: 'https://example.invalid/meta' }],
    ['a name of its own', { $id: 'https://example.invalid/id' }],
  ];
  for (const [what, keyword] of dropped)
    it(`drops ${what}, at any depth`, () => {
      const schema = {
        ...keyword,
        properties: { a: { type: 'string', ...keyword } },
        anyOf: [{ ...keyword, items: { ...keyword } }],
      };
      assert.deepEqual(editorSchema(schema), {
        properties: { a: { type: 'string' } },
        anyOf: [{ items: {} }],
      });
    });

  it('names no character in words, of which the editor makes Markdown', () => {
    const words = (text: string) => ({ title: text, description: text });
    const schema = (text: string) => ({
      ...words(text),
      properties: { a: words(text), title: { ...words(text), const: '&zwnj;' } },
    });
    assert.deepEqual(
      editorSchema(schema('a&zwnj;b &rlm; & &x c;')),
      schema('a&amp;zwnj;b &amp;rlm; & &x c;'),
    );
  });

  it('is only an object where it would be enormous', () => {
    assert.deepEqual(editorSchema({ description: 'x'.repeat(500_001) }), { type: 'object' });
  });
});
