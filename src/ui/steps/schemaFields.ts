import { jsonText } from '../../base/text/jsonText';
import { asRecord, canonicalJson, isRecord, ownValue } from '../../base/json';
import {
  findInexactNumber,
  inexactNumber,
  type InexactNumber,
} from '../../mcp/protocol/inexactNumber';
import type { Json, JsonObject, JsonSchema } from '../../mcp/protocol/types';
import { SchemaReferences } from '../../mcp/schema/jsonSchema';

/** One value of an enumeration, and its title. */
export interface FieldOption {
  readonly value: Json;
  readonly title: string;
}

/** How best to ask for a value; `list` is a list of texts or of numbers, `json` is for what needs a document. */
export type FieldKind =
  | { readonly kind: 'text'; readonly format?: string }
  | { readonly kind: 'number'; readonly integer: boolean }
  | { readonly kind: 'choice' | 'choices'; readonly options: readonly FieldOption[] }
  | { readonly kind: 'list'; readonly ofNumbers?: { readonly integer: boolean } }
  | { readonly kind: 'json' };

/** One property of an object's schema, as a form asks for it. */
export interface Field {
  readonly name: string;
  readonly title: string;
  readonly description?: string;
  readonly required: boolean;
  readonly default?: Json;
  readonly kind: FieldKind;
  /** The property's own schema, with its reference resolved and a `null` alternative removed. */
  readonly schema: JsonSchema;
}

/** Why a text is not a value of a field. */
export type FieldProblem =
  | { readonly problem: 'number' | 'integer' | 'list' | 'json' }
  | { readonly problem: 'inexact'; readonly number: InexactNumber };

type Parsed = { readonly value: Json } | FieldProblem;

/** Reads the properties of a schema, in its order; references lead into `root`. */
export function readFields(schema: JsonSchema, root = schema): readonly Field[] {
  const properties = asRecord(schema['properties']);
  const required = new Set(Array.isArray(schema['required']) ? schema['required'] : []);
  const references = new SchemaReferences(root);
  return Object.entries(properties).map(([name, property]) =>
    readField(name, asRecord(property), required.has(name), references),
  );
}

/** Reads what each item of a list is, as a field that has the list's name; `undefined` if the schema does not say. */
export function itemField({ name, title, schema }: Field, root: JsonSchema): Field | undefined {
  const { items } = schema;
  if (schema['type'] !== 'array' || !isRecord(items)) return undefined;
  return { ...readField(name, items, true, new SchemaReferences(root)), title };
}

/** Returns the values that fields begin with if none are given. */
export function defaultsOf(fields: readonly Field[]): JsonObject {
  return Object.fromEntries(
    fields.flatMap(({ name, default: value }) => (value === undefined ? [] : [[name, value]])),
  );
}

/**
 * Returns what stands for a required value that nobody has given yet: its default or constant, which may stay, or else
 * one to fill in, `""`, `[]` or `{}`, or `null` where none of them is wanted.
 */
export function placeholderOf(field: Field): { readonly value: Json; readonly mayStay: boolean } {
  const { kind, schema } = field;
  const given = field.default ?? (ownValue(schema, 'const') as Json | undefined);
  if (given !== undefined) return { value: given, mayStay: true };
  switch (kind.kind) {
    case 'text':
      return { value: '', mayStay: false };
    case 'choice':
      return { value: schema['type'] === 'string' ? '' : null, mayStay: false };
    case 'choices':
    case 'list':
      return { value: [], mayStay: false };
    case 'number':
      return { value: null, mayStay: false };
    case 'json':
      return { value: schema['type'] === 'array' ? [] : {}, mayStay: false };
  }
}

/** Returns the values that somebody gave: all except those that are the default of their field. */
export function withoutDefaults(fields: readonly Field[], values: JsonObject): JsonObject {
  const defaults = defaultsOf(fields);
  return Object.fromEntries(
    Object.entries(values).filter(
      ([name, value]) => canonicalJson(value) !== canonicalJson(ownValue(defaults, name)),
    ),
  );
}

/** Returns the value that a text stands for in a field, or why it stands for none. */
export function parseFieldText({ kind }: Field, text: string): Parsed {
  switch (kind.kind) {
    case 'text':
      return { value: text };
    case 'number':
      return parseNumber(text, kind);
    case 'list':
      return parseList(text, kind.ofNumbers);
    case 'json':
    case 'choice':
    case 'choices':
      return parseJson(text);
  }
}

function parseNumber(text: string, { integer }: { readonly integer: boolean }): Parsed {
  const value = text.trim() === '' ? Number.NaN : Number(text);
  if (!Number.isFinite(value)) return { problem: 'number' };
  if (integer && !Number.isInteger(value)) return { problem: 'integer' };
  const number = inexactNumber(text);
  return number ? { problem: 'inexact', number } : { value };
}

/** Returns a value of a field as the text that {@link parseFieldText} reads it from. */
export function fieldText(value: Json): string {
  return typeof value === 'string' ? value : jsonText(value, 2);
}

function readField(
  name: string,
  property: JsonSchema,
  required: boolean,
  references: SchemaReferences,
): Field {
  const schema = unwrap(resolve(property, references), references);
  const { title, description } = { ...schema, ...property };
  const given = property['default'] ?? schema['default'];
  return {
    name,
    title: typeof title === 'string' && title !== '' ? title : name,
    ...(typeof description === 'string' && { description }),
    required,
    ...(given !== undefined && given !== null && { default: given as Json }),
    kind: kindOf(schema, references),
    schema,
  };
}

function kindOf(schema: JsonSchema, references: SchemaReferences): FieldKind {
  const options = optionsOf(schema);
  if (options) return { kind: 'choice', options };
  switch (schema['type']) {
    case 'string': {
      const format = schema['format'];
      return { kind: 'text', ...(typeof format === 'string' && { format }) };
    }
    case 'integer':
    case 'number':
      return { kind: 'number', integer: schema['type'] === 'integer' };
    case 'boolean':
      return {
        kind: 'choice',
        options: [true, false].map((value) => ({ value, title: String(value) })),
      };
    case 'array': {
      const items = resolve(asRecord(schema['items']), references);
      const choices = optionsOf(items);
      if (choices) return { kind: 'choices', options: choices };
      if (items['type'] === 'string') return { kind: 'list' };
      if (items['type'] !== 'number' && items['type'] !== 'integer') return { kind: 'json' };
      return { kind: 'list', ofNumbers: { integer: items['type'] === 'integer' } };
    }
    default:
      return { kind: 'json' };
  }
}

/** Reads an enumeration in any form of the protocol or JSON Schema, with or without titles; `undefined` for others. */
function optionsOf(schema: JsonSchema): readonly FieldOption[] | undefined {
  const { enum: values, enumNames: names } = schema;
  if (Array.isArray(values) && values.length > 0) {
    const titles: readonly unknown[] = Array.isArray(names) ? names : [];
    return values.map((value: Json, index) => option(value, titles[index]));
  }
  const alternatives = schema['oneOf'] ?? schema['anyOf'];
  if (!Array.isArray(alternatives) || alternatives.length === 0) return undefined;
  const constants = alternatives.map(asRecord);
  if (!constants.every((each) => 'const' in each)) return undefined;
  return constants.map((each) => option(each['const'] as Json, each['title']));
}

function option(value: Json, title: unknown): FieldOption {
  const plain = typeof value === 'string' ? value : jsonText(value);
  return { value, title: typeof title === 'string' && title !== '' ? title : plain };
}

/** Removes what only says that a value may also be null, as generated schemas of optional values do. */
function unwrap(schema: JsonSchema, references: SchemaReferences): JsonSchema {
  const { type, anyOf, oneOf } = schema;
  if (Array.isArray(type)) {
    const others = type.filter((each) => each !== 'null');
    return others.length === 1 ? { ...schema, type: others[0] } : schema;
  }
  const alternatives = anyOf ?? oneOf;
  if (!Array.isArray(alternatives)) return schema;
  const others = alternatives.filter((each) => asRecord(each)['type'] !== 'null');
  if (others.length !== 1 || others.length === alternatives.length) return schema;
  const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
  return { ...resolve(asRecord(others[0]), references), ...rest };
}

/** Follows references inside the schema, a few levels deep; a reference to elsewhere allows anything. */
function resolve(schema: JsonSchema, references: SchemaReferences, depth = 0): JsonSchema {
  const reference = schema['$ref'];
  if (typeof reference !== 'string' || depth > 10) return schema;
  const { $ref: _, ...rest } = schema;
  return { ...resolve(asRecord(references.find(reference)), references, depth + 1), ...rest };
}

function parseList(text: string, ofNumbers: { readonly integer: boolean } | undefined): Parsed {
  if (!text.trim().startsWith('[')) {
    const lines = text.split(/\r?\n/).filter((line) => line !== '');
    if (!ofNumbers) return { value: lines };
    const parsed = lines.map((line) => parseNumber(line, ofNumbers));
    const problem = parsed.find((one): one is FieldProblem => 'problem' in one);
    return problem ?? { value: parsed.flatMap((one) => ('value' in one ? [one.value] : [])) };
  }
  const parsed = parseJson(text);
  if ('problem' in parsed && parsed.problem === 'inexact') return parsed;
  return 'value' in parsed && Array.isArray(parsed.value) ? parsed : { problem: 'list' };
}

function parseJson(text: string): Parsed {
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return { problem: 'json' };
  }
  const number = findInexactNumber(text);
  return number ? { problem: 'inexact', number } : { value };
}
