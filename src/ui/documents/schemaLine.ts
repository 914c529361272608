import { asRecord, isRecord } from '../../base/json';
import type { JsonSchema } from '../../mcp/protocol/types';

/** The file beside a JSON document that its first line names as its schema. */
export const schemaFile = 'schema.json';

/** The keywords whose schemas are about the object itself. */
const alike: readonly string[] = ['oneOf', 'anyOf', 'allOf', 'not', 'if', 'then', 'else'];

/** The schema of an object that may have that line, too: nothing of it is marked. */
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

/** A JSON object's text with a first line that points the editor to the schema beside it. */
export function addSchemaLine(json: string): string {
  const separator = /^\s*\{\s*\}/.test(json) ? '\n' : ',';
  return json.replace(/^\s*\{/, `{\n  "$schema": "./${schemaFile}"${separator}`);
}

/** The text without that line, wherever the user moved it; other members stay as they are. */
export function removeSchemaLine(json: string): string {
  const member = String.raw`"\$schema"\s*:\s*"\./schema\.json"`;
  return json
    .replace(new RegExp(String.raw`(\{\s*?)[ \t]*${member}\s*,[ \t]*\r?\n?`), '$1')
    .replace(new RegExp(String.raw`,?\s*${member}`), '');
}
