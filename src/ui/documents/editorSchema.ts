import type { JsonSchema } from '../../mcp/protocol/types';

const maxLength = 500_000;

/** Keywords of the editor's own that carry Markdown, commands or snippets. */
const editorKeywords = new Set([
  'markdownDescription',
  'markdownEnumDescriptions',
  'markdownDeprecationMessage',
  'defaultSnippets',
  'suggestSortText',
  'enumDescriptions',
  'errorMessage',
  'patternErrorMessage',
  'deprecationMessage',
  '$schema',
  '$id',
  'id',
]);

/**
 * The schema as the editor's JSON support may have it: nothing that would be fetched, rendered as
 * Markdown, or matched by a pattern that may not finish. What is missing is checked before the call.
 */
export function editorSchema(schema: JsonSchema): JsonSchema {
  if (JSON.stringify(schema).length > maxLength) return { type: 'object' };
  return clean(schema, 'schema') as JsonSchema;
}

/** Below these keywords stand names of the server's choice, not keywords. */
const maps = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** Below these keywords stand plain values. */
const values = new Set(['default', 'examples', 'enum', 'const']);

function clean(value: unknown, kind: 'schema' | 'map'): unknown {
  if (Array.isArray(value)) return value.map((item) => clean(item, 'schema'));
  if (typeof value !== 'object' || value === null) return value;
  const entries: [string, unknown][] = [];
  for (const [key, part] of Object.entries(value)) {
    if (kind === 'map') entries.push([key, clean(part, 'schema')]);
    else if (values.has(key)) entries.push([key, part]);
    else if (isKept(key, part)) entries.push([key, clean(part, maps.has(key) ? 'map' : 'schema')]);
  }
  return Object.fromEntries(entries);
}

function isKept(key: string, part: unknown): boolean {
  if (editorKeywords.has(key) || key === 'patternProperties') return false;
  if (key === '$ref' || key === '$dynamicRef')
    return typeof part === 'string' && part.startsWith('#');
  // A repeated group is where backtracking without end begins.
  if (key === 'pattern') return typeof part === 'string' && !/\)[*+{?]|\\\d/.test(part);
  return true;
}
