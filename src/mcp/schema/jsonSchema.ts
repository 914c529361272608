import { type JsonRecord, isRecord } from '../../base/json';
import { measureJson } from '../../base/measureJson';
import type { JsonSchema } from '../protocol/types';
import type { PathAnswer, RunSchemaTask, ValidationResult, UncheckedReason } from './validation';

/** Checks values against schemas that servers wrote; see {@link createSchemaCheck}. */
export interface SchemaCheck {
  /** `property` names the property of the schema's object that the value is for. */
  readonly check: (
    schema: JsonSchema,
    value: unknown,
    property?: string,
  ) => Promise<ValidationResult>;
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
      return task ? ((await run(task)) as ValidationResult) : unchecked('size');
    },
    find: async (value, path) => {
      if (isLarger(path, maxPathSize) || isLarger(value, maxValueSize)) return unchecked('size');
      const task = writeTask(value, { path });
      return task ? ((await run(task)) as PathAnswer) : unchecked('size');
    },
  };
}

/** A longer reference leads to nothing. */
export const maxReferenceLength = 1000;
/** References of one schema are followed until they and what they lead to have so many characters together. */
export const maxFollowed = 10_000_000;

/**
 * Follows the references of a schema within its own document, for as long as a form or a list may wait for it; one to
 * another document leads to nothing.
 */
export class SchemaReferences {
  private readonly root: JsonRecord;
  private left = maxFollowed;

  constructor(root: JsonRecord) {
    this.root = root;
  }

  /** Returns what a `$ref` leads to, to be read; `undefined` for nothing, for one too long, and for all after too many. */
  find(reference: string): unknown {
    const target = this.targetOf(reference);
    if (isRecord(target)) this.left -= ownSize(target);
    return target;
  }

  /** Tells whether a `$ref` leads to a schema, which nobody reads yet. */
  leadsToSchema(reference: string): boolean {
    return isRecord(this.targetOf(reference));
  }

  private targetOf(reference: string): unknown {
    if (reference.length > maxReferenceLength || this.left < 0) return undefined;
    this.left -= reference.length;
    if (reference !== '#' && !reference.startsWith('#/')) return undefined;
    try {
      return reference
        .split('/')
        .slice(1)
        .map((step) => decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~'))
        .reduce<unknown>((at, step) => {
          const fields = at as JsonRecord | null | undefined;
          return typeof fields === 'object' && fields && Object.hasOwn(fields, step)
            ? fields[step]
            : undefined;
        }, this.root);
    } catch {
      return undefined;
    }
  }
}

/** What a name counts, as to copy it takes as long as to read a text of this length. */
const nameSize = 20;

/** What a schema takes to be read, without the schemas inside it. */
function ownSize(schema: JsonRecord): number {
  return Object.entries(schema).reduce((sum, [key, part]) => {
    if (Array.isArray(part) || key === 'const') return sum + nameSize + measureJson(part).bytes;
    return sum + nameSize * (isRecord(part) ? 1 + Object.keys(part).length : 1);
  }, 0);
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
