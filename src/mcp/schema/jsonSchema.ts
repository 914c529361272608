import type { JsonSchema } from '../protocol/types';
import type { RunSchemaTask, SchemaTask, SchemaVerdict, UncheckedReason } from './verdict';

/** Checks values against schemas that servers wrote; see {@link createSchemaCheck}. */
export interface SchemaCheck {
  /** `property` names the property of the schema's object that the value is for. */
  readonly check: (schema: JsonSchema, value: unknown, property?: string) => Promise<SchemaVerdict>;
}

const maxSchemaSize = 1_000_000;
const maxValueSize = 2_000_000;
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
      const task = writeTask(schema, value, property);
      return task ? run(task) : unchecked('size');
    },
  };
}

function unchecked(reason: UncheckedReason): SchemaVerdict {
  return { kind: 'unchecked', reason };
}

/** Serializes a task; `undefined` if something is nested too deep for that. */
function writeTask(schema: JsonSchema, value: unknown, property?: string): SchemaTask | undefined {
  try {
    return {
      schema: JSON.stringify(schema),
      value: JSON.stringify(value) ?? 'null',
      ...(property !== undefined && { property }),
    };
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
