import { createScanner } from 'jsonc-parser';
import { asRecord, isRecord } from '../../base/json';
import type { JsonSchema } from '../../mcp/protocol/types';

/** The file beside a JSON document that its first line names as its schema. */
export const schemaFile = 'schema.json';

/** The keywords whose schemas apply to the object itself. */
const alike: readonly string[] = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'];

/** Returns the schema of an object that may have that line, too, so that the editor does not mark it as a problem. */
export function withSchemaLine(schema: JsonSchema): JsonSchema {
  const { propertyNames: _names, minProperties, maxProperties, ...rest } = schema;
  const parts = Object.entries(rest).filter(([keyword]) => alike.includes(keyword));
  return {
    ...rest,
    ...Object.fromEntries(parts.map(([keyword, part]) => [keyword, withLineIn(part)])),
    properties: { $schema: { type: 'string' }, ...asRecord(schema['properties']) },
    ...(typeof minProperties === 'number' && { minProperties: minProperties + 1 }),
    ...(typeof maxProperties === 'number' && { maxProperties: maxProperties + 1 }),
  };
}

function withLineIn(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(withLineIn);
  return isRecord(part) ? withSchemaLine(part) : part;
}

/** Returns a JSON object's text with a first line that points the editor to the schema beside it. */
export function addSchemaLine(json: string): string {
  const separator = /^\s*\{\s*\}/.test(json) ? '\n' : ',';
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
