import { createScanner, stripComments } from 'jsonc-parser';
import { asRecord, isRecord } from '../../base/json';
import type { JsonSchema } from '../../mcp/protocol/types';
import { SchemaReferences } from '../../mcp/schema/jsonSchema';

const maxLength = 500_000;

/** Keywords to leave out: the editor's own, for Markdown, messages or snippets, and those that references need. */
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
  '$dynamicRef',
  '$defs',
  'definitions',
  'patternProperties',
]);

/** At most so many references are followed, one after another. */
const maxReferences = 5;

/**
 * Returns the parts of a schema that are safe for the editor's JSON support: nothing that would be fetched or rendered
 * as Markdown, no pattern that may never finish, and what references lead to in their place, as it would check that
 * again for each way that leads there; what is left out is checked before the call.
 */
export function editorSchema(schema: JsonSchema): JsonSchema {
  if (JSON.stringify(schema).length > maxLength) return { type: 'object' };
  const references = new SchemaReferences(schema);
  let left = maxLength;
  const follow = (reference: string): object => {
    const target = asRecord(references.find(reference));
    left -= JSON.stringify(target).length;
    return left < 0 ? {} : target;
  };
  const clean = (value: unknown, isMap = false, depth = 0): unknown => {
    if (Array.isArray(value)) return value.map((item) => clean(item, false, depth));
    if (!isRecord(value)) return value;
    const { $ref, ...rest } = value;
    if (!isMap && typeof $ref === 'string')
      return clean(depth < maxReferences ? { ...follow($ref), ...rest } : rest, false, depth + 1);
    const entries: [string, unknown][] = [];
    for (const [key, part] of Object.entries(value)) {
      if (isMap) entries.push([key, clean(part, false, depth)]);
      else if (values.has(key)) entries.push([key, part]);
      else if (shownWords.has(key) && typeof part === 'string')
        entries.push([key, part.replaceAll(/&(?=\w+;)/g, '&amp;')]);
      else if (isKept(key, part)) entries.push([key, clean(part, maps.has(key), depth)]);
    }
    return Object.fromEntries(entries);
  };
  return clean(schema) as JsonSchema;
}

/** Keywords below which there are names that the server chose, not keywords. */
const maps = new Set(['properties', 'dependentSchemas', 'dependencies']);

/** Keywords whose texts the editor makes Markdown of, in which it escapes all but names of characters. */
const shownWords = new Set(['title', 'description']);

/** Keywords below which there are plain values. */
const values = new Set(['default', 'examples', 'enum', 'const']);

/** At most this many choices are in a pattern that the editor checks itself. */
const maxChoices = 8;
/** The longest of these patterns, in UTF-16 units. */
const maxPatternLength = 200;

function isKept(key: string, part: unknown): boolean {
  return (
    !editorKeywords.has(key) &&
    (key !== 'pattern' || (typeof part === 'string' && isQuickPattern(part)))
  );
}

/**
 * True for a pattern that takes little time whatever it is held against: repeated groups and backreferences are where
 * endless backtracking begins, each choice can double the time that the others take, and a part of any length multiplies
 * it by the length of the text, as does a pattern that may begin anywhere.
 */
function isQuickPattern(pattern: string): boolean {
  const plain = pattern.replaceAll(/\\[^\dk]/g, 'a');
  const choices = plain.split('|').length - 1;
  const ofAnyLength = plain.match(/[*+]|(?<!\()\?|\{\d*,|\{\d{3}/g) ?? [];
  const isAtStart = choices === 0 && plain.startsWith('^');
  return (
    pattern.length <= maxPatternLength &&
    !/\)[*+{?]|\\[\dk]/.test(plain) &&
    choices <= maxChoices &&
    ofAnyLength.length <= (isAtStart ? 1 : 0)
  );
}

/** The file beside a JSON document that its first line names as its schema. */
export const schemaFile = 'schema.json';

/** The keywords whose schemas apply to the object itself. */
const alike: readonly string[] = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'];

/** Returns the schema of an object that may have that line, too, so that the editor does not mark it as a problem. */
export function withSchemaLine(schema: JsonSchema): JsonSchema {
  return withMember(schema, { name: '$schema', schema: { type: 'string' }, isRequired: true });
}

/** A member that an object of any schema has, or may have, too. */
interface AddedMember {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly isRequired?: true;
}

/** Returns the schema of an object that has, or may have, one more member. */
export function withMember(schema: JsonSchema, member: AddedMember): JsonSchema {
  const { propertyNames: _names, minProperties, maxProperties, ...rest } = schema;
  const parts = Object.entries(rest).filter(([keyword]) => alike.includes(keyword));
  const least = typeof minProperties === 'number' ? minProperties : undefined;
  return {
    ...rest,
    ...Object.fromEntries(parts.map(([keyword, part]) => [keyword, withMemberIn(part, member)])),
    properties: { [member.name]: member.schema, ...asRecord(schema['properties']) },
    ...(least !== undefined && { minProperties: member.isRequired ? least + 1 : least }),
    ...(typeof maxProperties === 'number' && { maxProperties: maxProperties + 1 }),
  };
}

function withMemberIn(part: unknown, member: AddedMember): unknown {
  if (Array.isArray(part)) return part.map((one) => withMemberIn(one, member));
  return isRecord(part) ? withMember(part, member) : part;
}

/** Returns a JSON object's text with a first line that points the editor to the schema beside it. */
export function addSchemaLine(json: string): string {
  const [, space] = /^\s*\{(\s*)\}/.exec(stripComments(json)) ?? [];
  const separator = space === undefined ? ',' : space.includes('\n') ? '' : '\n';
  return json.replace(/^\s*\{/, `{\n  "$schema": "./${schemaFile}"${separator}`);
}

/** Returns the text without that line, wherever the user moved it; other members stay as they are. */
export function removeSchemaLine(json: string): string {
  const line = findSchemaLine(json);
  if (!line) return json;
  const { before, start, end, after } = line;
  if (json[before] === ',') return json.slice(0, before) + json.slice(end);
  if (json[after] !== ',') return json.slice(0, before + 1) + json.slice(end);
  const [rest = ''] = /^[ \t]*(?:\r?\n)?/.exec(json.slice(after + 1)) ?? [];
  // What precedes the line on its own row is its indentation.
  const indent = json.slice(before + 1, start).lastIndexOf('\n') + 1;
  return json.slice(0, before + 1 + indent) + json.slice(after + 1 + rest.length);
}

/** The offsets of the line: its own start and end, and the punctuation before and after it. */
interface SchemaLine {
  readonly before: number;
  readonly start: number;
  readonly end: number;
  readonly after: number;
}

/** Finds the line among the object's own members, as deeper ones are the user's own; `undefined` if it is not there. */
function findSchemaLine(json: string): SchemaLine | undefined {
  const scanner = createScanner(json, true);
  let [before, key, colon] = [0, 0, 0];
  let [name, last] = ['', ''];
  for (let depth = 0; ;) {
    scanner.scan();
    const at = scanner.getTokenOffset();
    const end = at + scanner.getTokenLength();
    const mark = json.charAt(at);
    if (mark === '') return undefined;
    if (mark === '{' || mark === '[') depth += 1;
    if (mark === '}' || mark === ']') depth -= 1;
    const value = mark === '"' ? scanner.getTokenValue() : '';
    if (depth === 1 && name === '$schema' && json[colon] === ':' && value === `./${schemaFile}`) {
      scanner.scan();
      return { before, start: key, end, after: scanner.getTokenOffset() };
    }
    [before, key, colon] = [key, colon, at];
    [name, last] = [last, value];
  }
}
