import type { JsonSchema } from '../protocol/types';
import type { PathAnswer, RunSchemaTask, SchemaVerdict, UncheckedReason } from './verdict';

/** Checks values against schemas that servers wrote; see {@link createSchemaCheck}. */
export interface SchemaCheck {
  /** `property` names the property of the schema's object that the value is for. */
  readonly check: (schema: JsonSchema, value: unknown, property?: string) => Promise<SchemaVerdict>;
  /** Looks up a JSON path (RFC 9535) in a value. */
  readonly find: (value: unknown, path: string) => Promise<PathAnswer>;
}

const maxSchemaSize = 1_000_000;
const maxValueSize = 2_000_000;
const maxPathSize = 10_000;
/** What a part counts in addition to its text, so that many small ones do not take long to serialize. */
const partSize = 4;

/**
 * Creates a checker for the drafts of JSON Schema: 2020-12 unless `$schema` says otherwise. Nothing in a schema
 * or a value can use up the caller's time or memory, as `run` does the work elsewhere, within limits.
 */
export function createSchemaCheck(run: RunSchemaTask): SchemaCheck {
  return {
    check: async (schema, value, property) => {
      if (isLarger(schema, maxSchemaSize) || isLarger(value, maxValueSize))
        return unchecked('size');
      const text = write(schema);
      const task =
        text !== undefined &&
        writeTask(value, { schema: text, ...(property !== undefined && { property }) });
      return task ? ((await run(task)) as SchemaVerdict) : unchecked('size');
    },
    find: async (value, path) => {
      if (isLarger(path, maxPathSize) || isLarger(value, maxValueSize)) return unchecked('size');
      const task = writeTask(value, { path });
      return task ? ((await run(task)) as PathAnswer) : unchecked('size');
    },
  };
}

function unchecked(reason: UncheckedReason) {
  return { kind: 'unchecked', reason } as const;
}

/** Makes a task for a value; `undefined` if that is nested too deep to be serialized. */
function writeTask<T extends object>(value: unknown, rest: T) {
  const text = write(value);
  return text === undefined ? undefined : { ...rest, value: text };
}

function write(value: unknown): string | undefined {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return undefined;
  }
}

/** True if a value has more than `max` characters, with {@link partSize} more for each part; stops looking there. */
function isLarger(value: unknown, max: number): boolean {
  let size = 0;
  const open = [value];
  while (open.length > 0) {
    const part = open.pop();
    size += partSize + (typeof part === 'string' ? part.length : 0);
    if (Array.isArray(part)) {
      if (size + part.length * partSize > max) return true;
      for (const item of part) open.push(item);
    } else if (typeof part === 'object' && part !== null) {
      for (const [name, item] of Object.entries(part)) {
        size += name.length;
        open.push(item);
      }
    }
    if (size > max) return true;
  }
  return false;
}
