import type { Copied } from './proof';

/** Returns the own value of a name from outside, which may be one that every object has, such as `constructor`. */
export function ownValue<T>(values: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(values, name) ? values[name] : undefined;
}

/** An object from JSON or of unknown origin, whose fields have not been checked yet. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** True for objects that are neither null nor an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a list, whose entries have not been checked yet: `Array.isArray` alone would let them pass for anything. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** Returns the objects in a list; empty if the value is not a list. */
export function recordsOf(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** Returns the value if {@link isRecord} holds, otherwise an object without fields. */
export function asRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}

/** Parses JSON; `undefined` if the text is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** Returns JSON with the keys of every object sorted, so that equal values have equal text. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_key, part: unknown) =>
    isRecord(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

/** Returns JSON with each of its texts changed; the names of properties stay. */
export function changeTexts<T>(value: T, change: (text: string) => string): Copied<T> {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'string' ? change(part) : part,
  ) as Copied<T>;
}
