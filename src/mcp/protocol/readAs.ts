import { isRecord, type JsonRecord } from '../../base/json';
import type { LocalizableMessage } from '../../base/translate';

/** Takes what was wrong with something that a server sent: words that follow where it was, without a full stop. */
export type Note = (what: LocalizableMessage) => void;

/** What a field holds by the protocol. */
export type JsonShape = 'object' | 'list' | 'text' | 'flag' | 'number' | 'schema';

/** A value that the protocol does not allow, and what it is read as. */
interface Rule {
  readonly came: LocalizableMessage;
  readonly as: LocalizableMessage;
  readonly is: (value: unknown) => boolean;
  readonly read: (value: unknown) => unknown;
}

const absent: Rule = {
  came: (t) => t('null'),
  as: (t) => t('absent'),
  is: (value) => value === null,
  read: () => undefined,
};

/** PHP and Lua write an empty object like an empty list. */
const emptyObject: Rule = {
  came: (t) => t('an empty list'),
  as: (t) => t('an empty object'),
  is: isEmptyList,
  read: () => ({}),
};

/**
 * What is read although the protocol forbids it, by what the field should hold: the one table for everything that servers
 * send. What stands in no row is left out, or the whole of what it is in if that needs it.
 */
const rules: Readonly<Record<JsonShape, readonly Rule[]>> = {
  object: [absent, emptyObject],
  schema: [absent, emptyObject],
  list: [
    absent,
    {
      came: (t) => t('an empty object'),
      as: (t) => t('an empty list'),
      is: (value) => isRecord(value) && Object.keys(value).length === 0,
      read: () => [],
    },
  ],
  text: [absent],
  flag: [
    absent,
    {
      came: (t) => t('a text'),
      as: (t) => t('true or false'),
      is: (value) => value === 'true' || value === 'false',
      read: (value) => value === 'true',
    },
  ],
  number: [
    absent,
    {
      came: (t) => t('a text'),
      as: (t) => t('a number'),
      is: (value) => typeof value === 'string' && /^\d{1,15}$/.test(value),
      read: Number,
    },
  ],
};

/** What became of a field that does not hold what it should. */
export interface FieldReading {
  /** What it is read as; absent if it is left out. */
  readonly value?: unknown;
  /** True if the table says how to read it. */
  readonly isKnown: boolean;
  /** What was wrong, as a {@link Note} takes it. */
  readonly what: LocalizableMessage;
}

/** Reads a value that is not what is `wanted` of the field with this name. */
export function readAs(wanted: JsonShape, value: unknown, field: string): FieldReading {
  const rule = rules[wanted].find(({ is }) => is(value));
  if (!rule)
    return {
      isKnown: false,
      what: (t) => t('"{0}" is not as the protocol says: it is left out', field),
    };
  const { came, as, read } = rule;
  return {
    value: read(value),
    isKnown: true,
    what: (t) => t('"{0}" is {1}: it is read as {2}', field, came(t), as(t)),
  };
}

/** Returns an object, or what the table reads as one; `undefined` for anything else. */
export function objectOf(value: unknown, field: string, note: Note): JsonRecord | undefined {
  if (value === undefined || isRecord(value)) return value;
  const reading = readAs('object', value, field);
  note(reading.what);
  return reading.value as JsonRecord | undefined;
}

/** Returns what adds to each of what is noted that it was in the answer to `method`, and makes a sentence of it. */
export function inAnswerTo(method: string, note: Note): Note {
  return (what) => note((t) => t('In its answer to {0}, {1}.', method, what(t)));
}

/** Returns what adds to each of what is noted that it was in a request of the server, and makes a sentence of it. */
export function inRequest(method: string, note: Note): Note {
  return (what) => note((t) => t('In its request {0}, {1}.', method, what(t)));
}

const isOfShape: Readonly<Record<JsonShape, (value: unknown) => boolean>> = {
  object: isRecord,
  schema: isRecord,
  list: Array.isArray,
  text: (value) => typeof value === 'string',
  flag: (value) => typeof value === 'boolean',
  number: (value) => typeof value === 'number',
};

/** Returns fields with those of the given shapes that are wrong read as the table says; what it does not say stays. */
export function readMembers(
  fields: JsonRecord,
  shapes: Readonly<Record<string, JsonShape>>,
  note: Note,
): JsonRecord {
  const read: Record<string, unknown> = { ...fields };
  for (const [key, shape] of Object.entries(shapes)) {
    if (!Object.hasOwn(fields, key) || isOfShape[shape](fields[key])) continue;
    const { isKnown, value, what } = readAs(shape, fields[key], key);
    if (!isKnown) continue;
    note(what);
    if (value === undefined) delete read[key];
    else read[key] = value;
  }
  return read;
}

/** True for a list without entries. */
export function isEmptyList(value: unknown): value is readonly [] {
  return Array.isArray(value) && value.length === 0;
}

/** The keywords of JSON Schema whose value maps names to schemas. */
export const namedSchemas: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
]);

/** The keywords whose value is one schema, or true or false. */
export const singleSchemas: ReadonlySet<string> = new Set([
  'additionalProperties',
  'contains',
  'else',
  'if',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
]);

/** The keywords whose value is a list of schemas. */
export const listedSchemas: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'prefixItems',
]);

/**
 * Returns a schema in which empty lists are read as objects where the specification wants schemas, or names of schemas;
 * the same object if there are none.
 */
export function readSchema(schema: JsonRecord, note: Note): JsonRecord {
  const one = (part: unknown, keyword: string): unknown => {
    if (isEmptyList(part)) return objectOf(part, keyword, note);
    return isRecord(part) ? readSchema(part, note) : part;
  };
  const field = (keyword: string, part: unknown): unknown => {
    if (namedSchemas.has(keyword)) {
      const names = isEmptyList(part) ? objectOf(part, keyword, note) : part;
      return isRecord(names) ? mapFields(names, (_name, inner) => one(inner, keyword)) : part;
    }
    if (singleSchemas.has(keyword)) return one(part, keyword);
    // An empty list of items was a schema once.
    if (keyword === 'items' && isRecord(part)) return readSchema(part, note);
    if (listedSchemas.has(keyword) && Array.isArray(part)) {
      const parts = part.map((inner) => one(inner, keyword));
      return parts.some((inner, index) => inner !== part[index]) ? parts : part;
    }
    return part;
  };
  return mapFields(schema, field);
}

/** Returns the object with changed fields, or itself if none changed. */
function mapFields(
  fields: JsonRecord,
  change: (name: string, value: unknown) => unknown,
): JsonRecord {
  let isSame = true;
  const entries = Object.entries(fields).map(([name, value]) => {
    const changed = change(name, value);
    isSame &&= changed === value;
    return [name, changed] as const;
  });
  return isSame ? fields : Object.fromEntries(entries);
}
