import type { JsonSchema } from '../../mcp/protocol/types';

const maxLength = 500_000;

/** Keywords to leave out: the editor's own, for Markdown, messages or snippets, and those that identify a schema. */
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
 * Returns the parts of a schema that are safe for the editor's JSON support: nothing that would be fetched or rendered
 * as Markdown, and no pattern that may never finish; what is left out is checked before the call.
 */
export function editorSchema(schema: JsonSchema): JsonSchema {
  if (JSON.stringify(schema).length > maxLength) return { type: 'object' };
  return clean(schema, 'schema') as JsonSchema;
}

/** Keywords below which there are names that the server chose, not keywords. */
const maps = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies',
]);

/** Keywords below which there are plain values. */
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
  // Repeated groups and backreferences are where endless backtracking begins.
  if (key === 'pattern') return typeof part === 'string' && !/\)[*+{?]|\\\d/.test(part);
  return true;
}
