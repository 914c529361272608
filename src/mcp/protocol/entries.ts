import { isRecord } from '../../base/json';
import type { LocalizableMessage } from '../../base/translate';
import { readAs, readSchema, type JsonShape } from './readAs';
import type { Annotations, Prompt, Resource, ResourceTemplate, Tool } from './types';

/**
 * Reads one entry of a list without its invalid optional fields, or says in a sentence why it is unusable; `length` is
 * the number of UTF-16 units of its texts, and `note` gets what is wrong with an entry that is kept, and its name.
 */
export type ReadEntry<T> = (
  value: unknown,
  note?: NoteEntry,
) => { readonly entry: T; readonly length: number } | { readonly problem: LocalizableMessage };

/** Takes what is wrong with an entry that is kept, as a `Note` does, and the name of the entry. */
export type NoteEntry = (what: LocalizableMessage, name: string) => void;

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

/** What a field must be, and how it is read if it is not. */
interface Field {
  readonly is: Check;
  readonly wants: JsonShape;
}

const isString: Check = (value) => typeof value === 'string';
const isNumber: Check = (value) => typeof value === 'number' && Number.isFinite(value);
const isObject: Check = isRecord;
const isFlag: Check = (value) => typeof value === 'boolean';
const isIcons: Check = (value) =>
  Array.isArray(value) && value.every((icon) => isString((icon as Fields | null)?.['src']));
/** True for a usable `annotations` of content or a resource. */
export const isAnnotations = (value: unknown): value is Annotations => {
  if (!isObject(value)) return false;
  const { audience, priority, lastModified } = value as Fields;
  return (
    (audience === undefined || (Array.isArray(audience) && audience.every(isString))) &&
    (priority === undefined || isNumber(priority)) &&
    (lastModified === undefined || isString(lastModified))
  );
};
const isToolAnnotations: Check = (value) =>
  isObject(value) &&
  Object.entries(value as Fields).every(([key, hint]) =>
    key === 'title' ? isString(hint) : !key.endsWith('Hint') || isFlag(hint),
  );
const isArguments: Check = (value) => Array.isArray(value) && value.every(isArgument);
const isArgument: Check = (value) => {
  const { name, title, description, required } = (isObject(value) ? value : {}) as Fields;
  return (
    isString(name) &&
    (title === undefined || isString(title)) &&
    (description === undefined || isString(description)) &&
    (required === undefined || isFlag(required))
  );
};

/** The deepest nesting of an entry, so that code that walks over it later cannot overflow the stack. */
const maxDepth = 256;

/**
 * Returns the number of UTF-16 units of all texts in a value, or more than any number if it is nested deeper than
 * `levels`; each empty list in it counts as `empty`.
 */
function textLength(levels: number, value: unknown, empty = 0): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0) return Infinity;
  let length = 0;
  // Iterating over the keys of an array is slow.
  if (Array.isArray(value)) {
    if (value.length === 0) return empty;
    for (const part of value) length += textLength(levels - 1, part, empty);
  } else
    for (const key in value)
      length += key.length + textLength(levels - 1, (value as Fields)[key], empty);
  return length;
}

/** Returns the number of UTF-16 units of all texts in an entry; `Infinity` if it is nested too deeply to be kept. */
export function entryLength(entry: object): number {
  return textLength(maxDepth, entry);
}

/** Words that an entry was left out because it is nested too deeply. */
export function nestedTooDeeply(kind: LocalizableMessage): LocalizableMessage {
  return (t) =>
    t('The {0} was left out: it is nested more than {1} levels deep.', kind(t), String(maxDepth));
}

const text: Field = { is: isString, wants: 'text' };
const object: Field = { is: isObject, wants: 'object' };
const schema: Field = { is: isObject, wants: 'schema' };
const described = {
  title: text,
  description: text,
  icons: { is: isIcons, wants: 'list' },
  _meta: object,
} as const;

const notAnObject =
  (kind: LocalizableMessage): LocalizableMessage =>
  (t) =>
    t('An entry that is not an object was left out: {0}.', kind(t));

function wrongKey(kind: LocalizableMessage, name: unknown, key: string): LocalizableMessage {
  return (t) =>
    typeof name === 'string'
      ? t('The {0} "{1}" was left out: its "{2}" is missing or wrong.', kind(t), name, key)
      : t('The {0} was left out: its "{1}" is missing or wrong.', kind(t), key);
}

const noNote: NoteEntry = () => {};

function nameOf({ name, uri }: Fields): string {
  return [name, uri].find((one) => typeof one === 'string') ?? '';
}

/**
 * Makes the reader of one kind of entry. Lists are long and nearly always as the protocol says: such an entry is walked
 * over once, and nothing is allocated for it. Any other goes through `normalize` and is read field by field.
 */
function reader<T>(
  kind: LocalizableMessage,
  required: Readonly<Record<string, Field>>,
  optional: Readonly<Record<string, Field>>,
  normalize: (entry: Fields, note: NoteEntry) => Fields = (entry) => entry,
): ReadEntry<T> {
  const requiredFields = Object.entries(required);
  const allFields = new Map(Object.entries({ ...optional, ...required }));
  const neededKeys = requiredFields.filter(([, { is }]) => !is(undefined)).map(([key]) => key);

  /** Returns the length of the texts of an entry in which nothing is to be normalized; not a number for any other. */
  const soundLength = (fields: Fields): number => {
    for (const key of neededKeys) if (fields[key] === undefined) return NaN;
    let length = 0;
    for (const key in fields) {
      const part = fields[key];
      const field = allFields.get(key);
      if (field !== undefined && !field.is(part)) return NaN;
      // In a schema, an empty list may stand for an object.
      length += key.length + textLength(maxDepth - 1, part, field?.wants === 'schema' ? NaN : 0);
    }
    return length;
  };

  const readFields = (fields: Fields, note: NoteEntry): ReturnType<ReadEntry<T>> => {
    for (const [key, { is, wants }] of requiredFields) {
      const part = fields[key];
      if (is(part)) continue;
      const { isKnown, value: read } = readAs(wants, part, key);
      if (isKnown && is(read)) continue;
      return { problem: wrongKey(kind, fields['name'], key) };
    }
    let length = 0;
    const kept: Record<string, unknown> = { ...fields };
    for (const [key, part] of Object.entries(fields)) {
      const partLength = textLength(maxDepth - 1, part);
      length += key.length + partLength;
      const field = allFields.get(key);
      if (field === undefined) continue;
      let read = part;
      if (!field.is(part)) {
        const reading = readAs(field.wants, part, key);
        note(reading.what, nameOf(fields));
        read = field.is(reading.value) ? reading.value : undefined;
      } else if (field.wants === 'schema' && partLength < Infinity)
        read = readSchema(part as Fields, (what) => note(what, nameOf(fields)));
      if (read === undefined) delete kept[key];
      else kept[key] = read;
    }
    if (length === Infinity) return { problem: nestedTooDeeply(kind) };
    return { entry: kept as T, length };
  };

  return (value, note = noNote) => {
    if (!isObject(value)) return { problem: notAnObject(kind) };
    const fields = value as Fields;
    const length = soundLength(fields);
    if (length < Infinity) return { entry: value as T, length };
    return readFields(normalize(fields, note), note);
  };
}

/** Reads an entry of `tools/list`. */
export const readTool: ReadEntry<Tool> = reader(
  (t) => t('tool'),
  { name: text, inputSchema: schema },
  {
    ...described,
    outputSchema: schema,
    annotations: { is: isToolAnnotations, wants: 'object' },
    execution: object,
  },
);

const argumentFields: Readonly<Record<string, Field>> = {
  title: text,
  description: text,
  required: { is: isFlag, wants: 'flag' },
};

/** Reads the fields of a prompt's arguments. */
function withReadArguments(prompt: Fields, note: NoteEntry): Fields {
  if (!Array.isArray(prompt['arguments'])) return prompt;
  const read = (prompt['arguments'] as readonly unknown[]).map((argument) => {
    if (!isRecord(argument)) return argument;
    const normalized = { ...argument };
    for (const [key, { is, wants }] of Object.entries(argumentFields)) {
      const part = argument[key];
      if (part === undefined || is(part)) continue;
      const { isKnown, value, what } = readAs(wants, part, `arguments.${key}`);
      // What is wrong in a way that the table does not have leaves the prompt unusable.
      if (!isKnown) continue;
      note(what, nameOf(prompt));
      if (value === undefined) delete normalized[key];
      else normalized[key] = value;
    }
    return normalized;
  });
  return { ...prompt, arguments: read };
}

/** Reads an entry of `prompts/list`. */
export const readPrompt: ReadEntry<Prompt> = reader(
  (t) => t('prompt'),
  { name: text, arguments: { is: (v) => v === undefined || isArguments(v), wants: 'list' } },
  described,
  withReadArguments,
);

/** Reads an entry of `resources/list`. */
export const readResource: ReadEntry<Resource> = reader(
  (t) => t('resource'),
  { uri: text, name: text },
  {
    ...described,
    mimeType: text,
    size: { is: isNumber, wants: 'number' },
    annotations: { is: isAnnotations, wants: 'object' },
  },
);

/** Reads an entry of `resources/templates/list`. */
export const readResourceTemplate: ReadEntry<ResourceTemplate> = reader(
  (t) => t('resource template'),
  { uriTemplate: text, name: text },
  { ...described, mimeType: text, annotations: { is: isAnnotations, wants: 'object' } },
);
