import { isRecord } from '../../base/json';
import type { Sentence } from '../../base/translate';
import type { Annotations, Prompt, Resource, ResourceTemplate, Tool } from './types';

/**
 * Reads one entry of a list without its invalid optional fields, or says in a sentence why it is unusable; `length` is
 * the number of UTF-16 units of its texts.
 */
export type ReadEntry<T> = (
  value: unknown,
) => { readonly entry: T; readonly length: number } | { readonly problem: Sentence };

type Fields = Readonly<Record<string, unknown>>;
type Check = (value: unknown) => boolean;

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

/** Returns the number of UTF-16 units of all texts in a value; `Infinity` if it is nested deeper than `levels`. */
function textLength(levels: number, value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 0;
  if (levels === 0) return Infinity;
  let length = 0;
  // Iterating over the keys of an array is slow.
  if (Array.isArray(value)) for (const part of value) length += textLength(levels - 1, part);
  else
    for (const key in value) length += key.length + textLength(levels - 1, (value as Fields)[key]);
  return length;
}

/** Returns the number of UTF-16 units of all texts in an entry; `Infinity` if it is nested too deeply to be kept. */
export function entryLength(entry: object): number {
  return textLength(maxDepth, entry);
}

/** Words that an entry was left out because it is nested too deeply. */
export function nestedTooDeeply(kind: Sentence): Sentence {
  return (t) =>
    t('The {0} was left out: it is nested more than {1} levels deep.', kind(t), String(maxDepth));
}

const described = {
  title: isString,
  description: isString,
  icons: isIcons,
  _meta: isObject,
};

const notAnObject =
  (kind: Sentence): Sentence =>
  (t) =>
    t('An entry that is not an object was left out: {0}.', kind(t));

function wrongKey(kind: Sentence, name: unknown, key: string): Sentence {
  return (t) =>
    typeof name === 'string'
      ? t('The {0} "{1}" was left out: its "{2}" is missing or wrong.', kind(t), name, key)
      : t('The {0} was left out: its "{1}" is missing or wrong.', kind(t), key);
}

function reader<T>(
  kind: Sentence,
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>>,
): ReadEntry<T> {
  const requiredChecks = Object.entries(required);
  const optionalChecks = new Map(Object.entries(optional));
  return (value) => {
    if (!isObject(value)) return { problem: notAnObject(kind) };
    const fields = value as Fields;
    for (const [key, check] of requiredChecks) {
      if (check(fields[key])) continue;
      return { problem: wrongKey(kind, fields['name'], key) };
    }
    // Lists are long and mostly valid: an entry is walked over once, and nothing is allocated for a valid one.
    let length = 0;
    let kept: Record<string, unknown> | undefined;
    for (const key in fields) {
      const part = fields[key];
      length += key.length + textLength(maxDepth - 1, part);
      const check = optionalChecks.get(key);
      if (check === undefined || check(part)) continue;
      kept ??= { ...fields };
      delete kept[key];
    }
    if (length === Infinity) return { problem: nestedTooDeeply(kind) };
    return { entry: (kept ?? value) as T, length };
  };
}

/** Reads an entry of `tools/list`. */
export const readTool: ReadEntry<Tool> = reader(
  (t) => t('tool'),
  { name: isString, inputSchema: isObject },
  { ...described, outputSchema: isObject, annotations: isToolAnnotations, execution: isObject },
);

/** Reads an entry of `prompts/list`. */
export const readPrompt: ReadEntry<Prompt> = reader(
  (t) => t('prompt'),
  { name: isString, arguments: (value) => value === undefined || isArguments(value) },
  described,
);

/** Reads an entry of `resources/list`. */
export const readResource: ReadEntry<Resource> = reader(
  (t) => t('resource'),
  { uri: isString, name: isString },
  { ...described, mimeType: isString, size: isNumber, annotations: isAnnotations },
);

/** Reads an entry of `resources/templates/list`. */
export const readResourceTemplate: ReadEntry<ResourceTemplate> = reader(
  (t) => t('resource template'),
  { uriTemplate: isString, name: isString },
  { ...described, mimeType: isString, annotations: isAnnotations },
);
