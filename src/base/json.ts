/** An object of JSON or of unknown origin, whose fields are still to be looked at. */
export type JsonRecord = Readonly<Record<string, unknown>>;

/** True for objects that are neither null nor an array. */
export function isRecord(value: unknown): value is JsonRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The objects of a list, where the value is one. */
export function recordsOf(value: unknown): readonly JsonRecord[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

/** The value where {@link isRecord} holds, else an object without fields. */
export function asRecord(value: unknown): JsonRecord {
  return isRecord(value) ? value : {};
}
