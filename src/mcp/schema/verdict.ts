import type { Json } from '../protocol/types';

/** What is wrong with a value: where, what kind of thing, and what was expected instead. */
export type SchemaProblem = {
  /** The steps from the whole value to the part that is meant; empty for the whole. */
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

/** The keywords that set a number as a bound. */
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
 * Why a value could not be checked: too large to begin with, over the budget of time or memory, a
 * reference to another document, a schema that makes no sense, or nothing there to check with.
 */
export type UncheckedReason = 'size' | 'time' | 'memory' | 'reference' | 'unusable' | 'unavailable';

/** What a schema says of a value. */
export type SchemaVerdict =
  /** `notes` name formats that the value does not have, which forbid nothing. */
  | { readonly kind: 'valid'; readonly notes: readonly SchemaProblem[] }
  | { readonly kind: 'invalid'; readonly problems: readonly SchemaProblem[] }
  /** `detail` is for the log: it may be in the words of a library. */
  | { readonly kind: 'unchecked'; readonly reason: UncheckedReason; readonly detail?: string };

/** A check to be made, as texts of JSON, so that it can cross into another thread. */
export interface SchemaTask {
  readonly schema: string;
  readonly value: string;
  /** The property of the schema's object that the value is for; the whole when left out. */
  readonly property?: string;
}

/** Makes one check where it may take its time without holding anything else up; never rejects. */
export type RunSchemaTask = (task: SchemaTask) => Promise<SchemaVerdict>;
