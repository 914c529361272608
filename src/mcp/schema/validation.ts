import type { Json } from '../protocol/types';

/** What is wrong with a value: where, what kind of problem, and what was expected instead. */
export type SchemaProblem = {
  /** The steps from the whole value to the part concerned; empty for the whole. */
  readonly path: readonly string[];
} & (
  | { readonly kind: 'missing' | 'forbidden' | 'badName' | 'excluded' }
  | { readonly kind: 'repeated' | 'noForm' | 'manyForms' | 'contains' }
  | { readonly kind: 'type'; readonly types: readonly string[] }
  | { readonly kind: 'choice'; readonly values: readonly Json[] }
  | { readonly kind: 'constant'; readonly value: Json }
  | { readonly kind: 'limit'; readonly keyword: LimitKeyword; readonly limit: number }
  | { readonly kind: 'pattern'; readonly pattern: string }
  | { readonly kind: 'format'; readonly format: string }
  | { readonly kind: 'other'; readonly keyword: string }
);

/** The keywords that set a numeric limit. */
export const limitKeywords = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'minimum',
  'maximum',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'multipleOf',
] as const;

/** One of {@link limitKeywords}. */
export type LimitKeyword = (typeof limitKeywords)[number];

/**
 * Why a value could not be checked: too large to begin with, over the limit of time or memory, a
 * reference to another document, an unusable schema, or no checker available.
 */
export type UncheckedReason = 'size' | 'time' | 'memory' | 'reference' | 'unusable' | 'unavailable';

/** The result of checking a value against a schema. */
export type ValidationResult =
  /** `notes` are formats that the value does not match, which does not make it invalid. */
  | { readonly kind: 'valid'; readonly notes: readonly SchemaProblem[] }
  | { readonly kind: 'invalid'; readonly problems: readonly SchemaProblem[] }
  /** `detail` is for the log: it may be in the words of a library. */
  | { readonly kind: 'unchecked'; readonly reason: UncheckedReason; readonly detail?: string };

/** A check to run, as JSON text, so that it can be sent to another thread. */
export interface SchemaTask {
  readonly schema: string;
  readonly value: string;
  /** The property of the schema's object that the value is for; the whole if omitted. */
  readonly property?: string;
}

/** A JSON path (RFC 9535) to look up in a value, as JSON text; it can contain patterns. */
export interface PathTask {
  readonly path: string;
  readonly value: string;
}

/** What is at a JSON path: two values at most, which tells none, one and more apart. */
export type PathAnswer =
  | { readonly kind: 'found'; readonly values: readonly Json[] }
  | { readonly kind: 'noPath' }
  | Extract<ValidationResult, { readonly kind: 'unchecked' }>;

/** Runs one check or look-up in a place where it cannot hold up anything else; never rejects. */
export type RunSchemaTask = (task: SchemaTask | PathTask) => Promise<ValidationResult | PathAnswer>;
