import { isRecord } from '../../base/json';

/** A placeholder in an expected value for a value that is left open. */
export type Matcher =
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'pattern'; readonly pattern: string };

/** The types that `$type` knows. */
export const matchedTypes = ['any', 'string', 'number', 'boolean', 'null', 'object', 'array'];

/** Reads a matcher such as `{"$type": "string"}` or `{"$matches": "^a"}`; `undefined` for any other expected value. */
export function readMatcher(expected: unknown): Matcher | undefined {
  if (!isRecord(expected)) return undefined;
  const entries = Object.entries(expected);
  const [entry] = entries;
  if (!entry || entries.length > 1) return undefined;
  const [name, value] = entry;
  if (name === '$type' && typeof value === 'string' && matchedTypes.includes(value))
    return { kind: 'type', type: value };
  if (name === '$matches' && typeof value === 'string') return { kind: 'pattern', pattern: value };
  return undefined;
}

/** Returns the type of a JSON value, as `$type` names it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
