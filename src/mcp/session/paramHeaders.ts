import { asRecord } from '../../base/json';
import type { LocalizableMessage } from '../../base/translate';
import type { JsonObject, JsonSchema } from '../protocol/types';

/** A property of a tool's arguments that is repeated as an HTTP header. */
interface HeaderDeclaration {
  readonly path: readonly string[];
  readonly name: string;
}

type Scan =
  | { readonly declarations: readonly HeaderDeclaration[] }
  | { readonly problem: LocalizableMessage };

const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerTypes = new Set(['string', 'integer', 'boolean']);
const maxDepth = 200;

/**
 * Finds the `x-mcp-header` declarations of an input schema, or why they make the tool invalid
 * (2026-07-28, Streamable HTTP, schema extension): they are allowed only on properties reached through
 * `properties` alone, of type string, integer or boolean, with a name that is a unique HTTP token.
 */
export function scanParamHeaders(schema: JsonSchema): Scan {
  const declarations: HeaderDeclaration[] = [];
  const names = new Set<string>();

  const visit = (
    node: unknown,
    path: readonly string[],
    reachable: boolean,
  ): LocalizableMessage | undefined => {
    if (typeof node !== 'object' || node === null) return undefined;
    if (path.length > maxDepth) return (t) => t('Its input schema is nested too deep.');
    const fields = node as Readonly<Record<string, unknown>>;
    // Only schemas are visited, not maps of properties, in which one may itself be called x-mcp-header.
    const name = fields['x-mcp-header'];
    if (name !== undefined) {
      const at = path.join('.') || 'the schema itself';
      if (!reachable || path.length === 0)
        return (t) => t('x-mcp-header is not allowed at {0}.', at);
      if (typeof name !== 'string' || !token.test(name))
        return (t) => t('The x-mcp-header of {0} is not a valid header name.', at);
      if (!headerTypes.has(String(fields['type'])))
        return (t) => t('The x-mcp-header of {0} needs the type string, integer or boolean.', at);
      if (names.has(name.toLowerCase()))
        return (t) => t('The x-mcp-header {0} is declared twice.', name);
      names.add(name.toLowerCase());
      declarations.push({ path, name });
    }
    for (const [keyword, value] of Object.entries(fields)) {
      const below = keyword === 'properties' && reachable;
      const children = schemaMaps.has(keyword)
        ? Object.entries(value ?? {})
        : subschemas.has(keyword)
          ? [value].flat().map((part) => [keyword, part] as const)
          : [];
      for (const [key, child] of children) {
        const problem = visit(child, [...path, key], below);
        if (problem) return problem;
      }
    }
    return undefined;
  };

  const problem = visit(schema, [], true);
  return problem === undefined ? { declarations } : { problem };
}

/** Returns the headers for a call of a tool with this schema; absent values have none. */
export function paramHeaders(schema: JsonSchema, args: JsonObject): Record<string, string> {
  const scan = scanParamHeaders(schema);
  const headers: Record<string, string> = {};
  if ('problem' in scan) return headers;
  for (const { path, name } of scan.declarations) {
    let value: unknown = args;
    for (const key of path) value = valueAt(value, key);
    const text = headerText(value);
    if (text !== undefined) headers[`Mcp-Param-${name}`] = encodeHeader(text);
  }
  return headers;
}

const schemaMaps = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  'definitions',
]);
const subschemas = new Set([
  'items',
  'prefixItems',
  'contains',
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'oneOf',
  'anyOf',
  'allOf',
  'not',
  'if',
  'then',
  'else',
]);

function valueAt(value: unknown, key: string): unknown {
  return asRecord(value)[key];
}

function headerText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean' || Number.isSafeInteger(value)) return String(value);
  return undefined;
}

/** Returns plain ASCII as it is, and anything else, or what already looks encoded, as Base64 of UTF-8. */
function encodeHeader(text: string): string {
  const plain = /^[\t\u0020-\u007E]+$/.test(text) && text === text.trim();
  if (plain && !/^=\?base64\?.*\?=$/.test(text)) return text;
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCodePoint(byte);
  return `=?base64?${btoa(bytes)}?=`;
}
