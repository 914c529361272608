import { isRecord } from '../../base/json';

/** What stands in an expected value for one that is left open. */
export type Matcher =
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'pattern'; readonly pattern: string };

/** The types that `$type` knows. */
export const matchedTypes = ['any', 'string', 'number', 'boolean', 'null', 'object', 'array'];

/** The matcher that an expected value is: `{"$type": "string"}` or `{"$matches": "^a"}`. */
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

/** The type of a JSON value, in the words of `$type`. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
