import { isRecord } from '../../base/json';
import type { Annotations, Prompt, Resource, ResourceTemplate, Tool } from './types';

/** Reads one entry of a list; says in a sentence why it is unusable, or drops what is wrong in it. */
export type ReadEntry<T> = (value: unknown) => { readonly entry: T } | { readonly problem: string };

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

/** Whatever walks over an entry later may do so without a care for the stack. */
const maxDepth = 256;

function isDeeperThan(levels: number, value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  // Keys of a list are slow to walk over.
  if (Array.isArray(value)) return value.some((part) => isDeeperThan(levels - 1, part));
  for (const key in value) {
    const part = (value as Fields)[key];
    if (typeof part === 'object' && isDeeperThan(levels - 1, part)) return true;
  }
  return false;
}

const described = {
  title: isString,
  description: isString,
  icons: isIcons,
  _meta: isObject,
};

function reader<T>(
  kind: string,
  required: Readonly<Record<string, Check>>,
  optional: Readonly<Record<string, Check>>,
): ReadEntry<T> {
  const requiredChecks = Object.entries(required);
  const optionalChecks = new Map(Object.entries(optional));
  return (value) => {
    if (!isObject(value)) return { problem: `A ${kind} that is not an object was left out.` };
    const fields = value as Fields;
    for (const [key, check] of requiredChecks) {
      if (check(fields[key])) continue;
      const name = isString(fields['name']) ? ` "${String(fields['name'])}"` : '';
      return { problem: `The ${kind}${name} was left out: its "${key}" is missing or wrong.` };
    }
    if (isDeeperThan(maxDepth, value)) {
      const problem = `The ${kind} was left out: it is nested more than ${maxDepth} levels deep.`;
      return { problem };
    }
    // Lists are long and mostly right: nothing is allocated for an entry that is.
    let kept: Record<string, unknown> | undefined;
    for (const key in fields) {
      const check = optionalChecks.get(key);
      if (check === undefined || check(fields[key])) continue;
      kept ??= { ...fields };
      delete kept[key];
    }
    return { entry: (kept ?? value) as T };
  };
}

/** Reads an entry of `tools/list`. */
export const readTool: ReadEntry<Tool> = reader(
  'tool',
  { name: isString, inputSchema: isObject },
  { ...described, outputSchema: isObject, annotations: isToolAnnotations, execution: isObject },
);

/** Reads an entry of `prompts/list`. */
export const readPrompt: ReadEntry<Prompt> = reader(
  'prompt',
  { name: isString, arguments: (value) => value === undefined || isArguments(value) },
  described,
);

/** Reads an entry of `resources/list`. */
export const readResource: ReadEntry<Resource> = reader(
  'resource',
  { uri: isString, name: isString },
  { ...described, mimeType: isString, size: isNumber, annotations: isAnnotations },
);

/** Reads an entry of `resources/templates/list`. */
export const readResourceTemplate: ReadEntry<ResourceTemplate> = reader(
  'resource template',
  { uriTemplate: isString, name: isString },
  { ...described, mimeType: isString, annotations: isAnnotations },
);
