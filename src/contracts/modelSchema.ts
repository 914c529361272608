import { type JsonRecord, asRecord, isRecord, recordsOf } from '../base/json';
import { SchemaReferences } from '../mcp/schema/jsonSchema';
import { listedSchemas, namedSchemas, singleSchemas } from '../mcp/protocol/readAs';
import type { JsonSchema, Tool } from '../mcp/protocol/types';
import { measureJson } from '../base/measureJson';
import { maxJsonDepth } from '../base/text/jsonText';
import { formatBytes, revealHidden } from '../base/text/text';

/** What a model is told about a tool besides its name. */
export interface ModelDefinition {
  readonly description: string;
  readonly inputSchema: JsonSchema;
  /** The size of both as JSON. */
  readonly bytes: number;
}

const maxBytes = 100_000;
const maxDepth = 100;

/** The keywords whose strings a call must repeat or match exactly. */
const exact = new Set(['enum', 'const', 'default', 'required', 'dependentRequired', 'pattern']);

/** Says why a tool is not offered to models; `undefined` for all but the largest and most deeply nested. */
export function definitionProblem({ description, inputSchema }: Tool): string | undefined {
  const { bytes, depth } = measureJson([description, inputSchema]);
  if (bytes > maxBytes)
    return `its description and schema have ${formatBytes(bytes)}, more than ${formatBytes(maxBytes)}`;
  return depth > maxDepth ? `its schema is nested more than ${maxDepth} deep` : undefined;
}

/**
 * Returns what a model is told about a tool without a {@link definitionProblem}: the server's words with their
 * hidden characters made visible, but the names and values that a call must contain as they are; its schema as
 * {@link modelSchema} makes it.
 */
export function modelDefinition(tool: Tool): ModelDefinition {
  const description = revealHidden(tool.description ?? '');
  const inputSchema = revealSchema(modelSchema(tool.inputSchema)) as JsonSchema;
  const { bytes } = measureJson([description, inputSchema]);
  return { description, inputSchema, bytes };
}

/**
 * Returns a schema with what is hidden in its words visible; names and values that a call must contain stay as they are.
 * What is nested too deep for a {@link modelDefinition} is empty from there on.
 */
export function revealSchema(schema: unknown, isNamed = false, depth = 0): unknown {
  if (typeof schema === 'string') return revealHidden(schema);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (depth > maxJsonDepth) return {};
  if (Array.isArray(schema)) return schema.map((part) => revealSchema(part, false, depth + 1));
  const reveal = (key: string, part: unknown) =>
    !isNamed && exact.has(key)
      ? part
      : revealSchema(part, !isNamed && namedSchemas.has(key), depth + 1);
  return Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, reveal(key, part)]));
}

/** What a request repeats, or nobody reads. */
const repeated = new Set(['uri', 'uriTemplate', 'mimeType', '_meta', 'icons']);

/**
 * Returns what a server says of an entry of a list with what is hidden in its words visible; its address, and the names of
 * its arguments, stay as they are.
 */
export function revealEntry<T extends object>(entry: T): T {
  const reveal = ([key, part]: readonly [string, unknown]) => {
    if (repeated.has(key)) return [key, part] as const;
    const args = key === 'arguments' && recordsOf(part);
    return [
      key,
      args ? args.map((one) => ({ ...revealEntry(one), name: one['name'] })) : revealSchema(part),
    ] as const;
  };
  return { ...entry, ...Object.fromEntries(Object.entries(entry).map(reveal)) };
}

/** The keywords that strict providers refuse at the root: they want one object there. */
const refusedAtRoot: readonly string[] = (
  'allOf anyOf oneOf not if then else enum const dependentSchemas items prefixItems ' +
  '$ref $dynamicRef $recursiveRef'
).split(' ');

const types = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);

/** The names that servers use for the types of JSON Schema; those that stand for any type are not among them. */
const typeNames: ReadonlyMap<string, string> = new Map([
  ['str', 'string'],
  ['text', 'string'],
  ['date', 'string'],
  ['datetime', 'string'],
  ['uuid', 'string'],
  ['int', 'integer'],
  ['long', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['decimal', 'number'],
  ['bool', 'boolean'],
  ['dict', 'object'],
  ['map', 'object'],
  ['record', 'object'],
  ['struct', 'object'],
  ['list', 'array'],
  ['tuple', 'array'],
  ['set', 'array'],
  ['none', 'null'],
  ['nil', 'null'],
]);

/** How the value of a keyword must look; one that looks different is left out. */
const forms: Readonly<Record<string, (value: unknown) => boolean>> = {
  ...formsOf((value) => typeof value === 'string', ['title', 'description', 'format', 'pattern']),
  ...formsOf(
    (value) => typeof value === 'string',
    ['$ref', '$id', '$schema', '$anchor', '$comment'],
  ),
  ...formsOf(isNumber, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']),
  ...formsOf((value) => isNumber(value) && value > 0, ['multipleOf']),
  ...formsOf(isCount, ['minLength', 'maxLength', 'minItems', 'maxItems']),
  ...formsOf(isCount, ['minProperties', 'maxProperties', 'minContains', 'maxContains']),
  ...formsOf((value) => typeof value === 'boolean', ['uniqueItems', 'deprecated', 'readOnly']),
  ...formsOf((value) => Array.isArray(value) && value.length > 0, ['enum']),
  ...formsOf(Array.isArray, ['examples']),
  ...formsOf(isRecord, ['dependentRequired']),
};

function formsOf(form: (value: unknown) => boolean, keywords: readonly string[]) {
  return Object.fromEntries(keywords.map((keyword) => [keyword, form]));
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0;
}

/** At most this many references and alternatives are merged at the root. */
const maxMerged = 200;
/** They have at most this many keywords, properties and required names together, each counted wherever it is merged. */
const maxMergedNames = 20_000;

/** The most of what is left out at the root that is told in words instead, in UTF-16 units. */
const maxTold = 1000;

/**
 * Returns the schema of a tool as strict providers of models accept it, who refuse a whole request for the schema of one
 * tool: one object at the root, valid JSON Schema 2020-12 below. A schema that is fine stays as it is. What a model can be
 * told of alternatives at the root is told in its description; calls are checked against the server's own schema.
 */
export function modelSchema(schema: JsonSchema): JsonSchema {
  const references = new SchemaReferences(schema);
  const sound = soundSchema(schema, (pointer) => references.leadsToSchema(pointer));
  const root = asObject(sound, {
    references: new SchemaReferences(sound),
    left: maxMerged,
    names: maxMergedNames,
  });
  const { description } = root;
  const left = Object.keys(sound).filter((key) => refusedAtRoot.includes(key) && key !== '$ref');
  const told = JSON.stringify(Object.fromEntries(left.map((key) => [key, sound[key]])));
  const isTold = left.length > 0 && told.length <= maxTold;
  const words = [typeof description === 'string' ? description : '', `Must also match: ${told}`];
  return isTold ? { ...root, description: words.filter(Boolean).join('\n') } : root;
}

/** Merges what stands in the references and alternatives of a schema into one object. */
function asObject(
  schema: JsonRecord,
  merging: { references: SchemaReferences; left: number; names: number },
): JsonRecord {
  const merge = (part: JsonRecord) => {
    merging.left -= 1;
    if (merging.left < 0 || merging.names < 0) return {};
    const merged = asObject(part, merging);
    const { properties, required } = merged;
    for (const names of [merged, properties, required])
      merging.names -= Object.keys(Object(names) as object).length;
    return merging.names < 0 ? {} : merged;
  };
  const { $ref: reference } = schema;
  const target = typeof reference === 'string' ? asRecord(merging.references.find(reference)) : {};
  const all = [...(reference === undefined ? [] : [target]), ...recordsOf(schema['allOf'])];
  const always = all.map(merge);
  const choices = [schema['anyOf'], schema['oneOf']].map((list) => recordsOf(list).map(merge));
  const rest = Object.fromEntries(
    Object.entries(schema).filter(([key]) => !refusedAtRoot.includes(key)),
  );
  const parts = [...always, ...choices.flat()];
  const required = new Set([
    ...namesIn(schema['required']),
    ...always.flatMap((part) => namesIn(part['required'])),
    ...choices.flatMap((list) => requiredOfAll(list)),
  ]);
  const inherited = union([...always.toReversed(), rest]);
  return {
    ...inherited,
    type: 'object',
    properties: union(
      [...parts.toReversed(), schema].map(({ properties }) => asRecord(properties)),
    ),
    ...(required.size > 0 && { required: [...required] }),
    // One of several that forbids what is not its own would forbid what is another's.
    ...(parts.length > 0 && inherited['additionalProperties'] === false && anyProperties),
  };
}

/** Returns an object with the fields of all; the last one with a name counts. */
function union(all: readonly JsonRecord[]): JsonRecord {
  return Object.fromEntries(all.flatMap((one) => Object.entries(one)));
}

const anyProperties = { additionalProperties: true };

/** Returns what each of several alternatives requires. */
function requiredOfAll([first, ...others]: readonly JsonRecord[]): readonly string[] {
  const ofOthers = others.map(({ required }) => new Set(namesIn(required)));
  return namesIn(first?.['required']).filter((name) => ofOthers.every((of) => of.has(name)));
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
}

/** Returns a schema without what no validator would accept, at any depth. */
function soundSchema(value: unknown, isKnown: (pointer: string) => boolean): JsonRecord {
  if (!isRecord(value)) return {};
  const sound = (part: unknown) => soundSchema(part, isKnown);
  const fields = withoutOldBounds(value);
  const kept = Object.entries(fields).flatMap(([key, part]): [string, unknown][] => {
    if (namedSchemas.has(key)) {
      const names = Object.entries(asRecord(part));
      return [[key, Object.fromEntries(names.map(([name, one]) => [name, sound(one)]))]];
    }
    if (listedSchemas.has(key)) {
      const parts = Array.isArray(part) ? part.map(sound) : [];
      return parts.length > 0 ? [[key, parts]] : [];
    }
    if (singleSchemas.has(key)) return [[key, typeof part === 'boolean' ? part : sound(part)]];
    if (key === 'items') return [[key, itemsOf(part, sound)]];
    if (key === 'type') return typeOf(part);
    if (key === 'required') return [];
    if (key === '$ref') return typeof part === 'string' && isKnown(part) ? [[key, part]] : [];
    return (forms[key]?.(part) ?? true) ? [[key, part]] : [];
  });
  const required = requiredOf(value);
  const schema = Object.fromEntries(kept);
  const { type } = schema;
  const isList = type === 'array' || (Array.isArray(type) && type.includes('array'));
  return {
    ...(type === undefined && 'properties' in schema && { type: 'object' }),
    ...(type === undefined && 'items' in schema && !('properties' in schema) && { type: 'array' }),
    ...schema,
    ...(required && { required }),
    ...(isList && !('items' in schema) && { items: {} }),
  };
}

/** Reads the names of required properties, also where each says that of itself (draft 3). */
function requiredOf({ required, properties }: JsonRecord): readonly string[] | undefined {
  const own = Object.entries(asRecord(properties)).flatMap(([name, part]) =>
    asRecord(part)['required'] === true ? [name] : [],
  );
  if (!Array.isArray(required) && own.length === 0) return undefined;
  return [...new Set([...namesIn(required), ...own])];
}

/** Turns limits that only say of others that they are exclusive (draft 4) into such limits. */
function withoutOldBounds(schema: JsonRecord): JsonRecord {
  let fields = schema;
  for (const [flag, limit] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (fields[flag] !== true || !isNumber(fields[limit])) continue;
    const { [limit]: bound, ...rest } = fields;
    fields = { ...rest, [flag]: bound };
  }
  return fields;
}

/** Items may be a list of schemas, one for each position, in drafts before 2020-12. */
function itemsOf(items: unknown, sound: (part: unknown) => JsonRecord): JsonRecord {
  if (!Array.isArray(items)) return sound(items);
  const parts = items.map(sound);
  return parts.length > 1 ? { anyOf: parts } : (parts[0] ?? {});
}

function typeOf(value: unknown): [string, unknown][] {
  const known = [value].flat().flatMap((name) => {
    if (typeof name !== 'string') return [];
    const plain = name.toLowerCase();
    const type = types.has(plain) ? plain : typeNames.get(plain);
    return type ? [type] : [];
  });
  if (known.length === 0) return [];
  return [['type', Array.isArray(value) ? [...new Set(known)] : known[0]]];
}
