import type { Ajv, ErrorObject, Options, ValidateFunction } from 'ajv';
import { errorMessage } from '../../base/errors';
import { createPatternTest, PatternTimeout } from '../node/boundedPattern';
import type { JsonSchema } from '../protocol/types';

/** What a schema says of a value; `unchecked` where the schema cannot be used, with the reason. */
export type SchemaVerdict =
  | { readonly kind: 'valid' }
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }
  | { readonly kind: 'unchecked'; readonly reason: string };

/** Checks values against schemas that servers wrote. */
export interface SchemaCheck {
  readonly check: (schema: JsonSchema, value: unknown) => Promise<SchemaVerdict>;
  /** Makes the check of one schema, for many values. */
  readonly prepare: (schema: JsonSchema) => Promise<(value: unknown) => SchemaVerdict>;
}

const maxSchemaLength = 1_000_000;
const maxProblems = 20;

/**
 * Makes a checker for JSON Schema 2020-12, and draft-07 where `$schema` says so. Schemas are compiled on
 * their first use and kept as long as they live; a `$ref` to elsewhere is never fetched, and patterns
 * run for `patternMs` at most.
 */
export function createSchemaCheck(patternMs = 100): SchemaCheck {
  const compiled = new WeakMap<JsonSchema, ValidateFunction | string>();
  const compilers = new Map<Draft, Promise<Ajv>>();
  const compilerOf = (draft: Draft) => {
    const known = compilers.get(draft) ?? createCompiler(draft, patternMs);
    compilers.set(draft, known);
    return known;
  };
  const prepare: SchemaCheck['prepare'] = async (schema) => {
    const known = compiled.get(schema) ?? compile(await compilerOf(draftOf(schema)), schema);
    compiled.set(schema, known);
    return (value) =>
      typeof known === 'string' ? { kind: 'unchecked', reason: known } : run(known, value);
  };
  return { prepare, check: async (schema, value) => (await prepare(schema))(value) };
}

type Draft = '2020-12' | '07';

function draftOf({ $schema }: JsonSchema): Draft {
  return typeof $schema === 'string' && /draft-0[4-7]/.test($schema) ? '07' : '2020-12';
}

async function createCompiler(draft: Draft, patternMs: number): Promise<Ajv> {
  const options: Options = {
    allErrors: true,
    strict: false,
    logger: false,
    validateSchema: false,
    addUsedSchema: false,
    code: { regExp: boundedRegExp(patternMs) },
  };
  const { addFormats, Ajv: Ajv07, Ajv2020 } = await import('./ajv');
  return addFormats(draft === '07' ? new Ajv07(options) : new Ajv2020(options), { mode: 'fast' });
}

function compile(ajv: Ajv, schema: JsonSchema): ValidateFunction | string {
  // Without its own name a schema cannot collide with, or point at, one of another server.
  const { $schema: _draft, $id: _id, ...anonymous } = schema;
  try {
    if (JSON.stringify(schema).length > maxSchemaLength) return 'The schema is too large.';
    return ajv.compile(anonymous);
  } catch (error) {
    return `The schema cannot be used: ${errorMessage(error)}`;
  } finally {
    ajv.removeSchema(anonymous);
  }
}

function run(validate: ValidateFunction, value: unknown): SchemaVerdict {
  try {
    if (validate(value)) return { kind: 'valid' };
  } catch (error) {
    const reason =
      error instanceof PatternTimeout
        ? `The pattern ${error.message} did not finish in time.`
        : `The schema cannot be used: ${errorMessage(error)}`;
    return { kind: 'unchecked', reason };
  }
  const problems = new Set((validate.errors ?? []).map(sentence));
  return { kind: 'invalid', problems: [...problems].slice(0, maxProblems) };
}

function sentence({ instancePath, keyword, message, params }: ErrorObject): string {
  const place = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
    .join('.');
  const subject = place === '' ? 'The value' : `"${place}"`;
  switch (keyword) {
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
      return `${subject} must not have the property "${name}"`;
    }
    case 'enum':
      return `${subject} must be one of ${JSON.stringify(params['allowedValues'])}`;
    case 'const':
      return `${subject} must be ${JSON.stringify(params['allowedValue'])}`;
    default:
      return `${subject} ${message ?? 'does not fit the schema'}`;
  }
}

function boundedRegExp(limitMs: number) {
  const test = createPatternTest(limitMs);
  const engine = (pattern: string, flags: string) => {
    const usable = isPattern(pattern, flags) ? flags : flags.replace('u', '');
    return {
      test: (text: string) => test(pattern, usable, text),
      // The compiler keeps one of all that have the same text.
      toString: () => `/${pattern}/${usable}`,
    };
  };
  // Only code that is generated for a file would use the name.
  return Object.assign(engine, { code: 'boundedRegExp' });
}

/** Many patterns in use are only valid without the flag `u`, which the specification asks for. */
function isPattern(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp;
  } catch {
    return false;
  }
}
