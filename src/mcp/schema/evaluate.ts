import {
  type Browser,
  RetrievalError,
  entries,
  removeUriSchemePlugin,
  step as stepInto,
  value as valueOf,
} from '@hyperjump/browser';
import type { OutputUnit, SchemaFragment, SchemaObject } from '@hyperjump/json-schema';
import {
  registerSchema,
  setShouldValidateFormat,
  setShouldValidateSchema,
  unregisterSchema,
} from '@hyperjump/json-schema/draft-2020-12';
import '@hyperjump/json-schema/draft-04';
import '@hyperjump/json-schema/draft-06';
import '@hyperjump/json-schema/draft-07';
import '@hyperjump/json-schema/draft-2019-09';
import {
  type CompiledSchema,
  DETAILED,
  type SchemaDocument,
  Validation,
  addFormat,
  addKeyword,
  compile,
  getSchema,
  interpret,
} from '@hyperjump/json-schema/experimental';
import * as Instance from '@hyperjump/json-schema/instance/experimental';
import { fromJs } from '@hyperjump/json-schema/instance/experimental';
import { query } from 'jsonpath-rfc9535';
import { decodePercent } from '../../base/text/text';
import { readProblems } from './readProblems';
import type { PathAnswer, PathTask, SchemaTask, ValidationResult } from './validation';

/** Replaces the library's `pattern` and `patternProperties` with our own; see {@link toRegExp}. */
function addPatternKeywords(): void {
  addKeyword<RegExp>({
    id: 'https://json-schema.org/keyword/pattern',
    compile: (schema) => Promise.resolve(toRegExp(valueOf<string>(schema))),
    interpret: (pattern, instance) =>
      Instance.typeOf(instance) !== 'string' || pattern.test(Instance.value<string>(instance)),
  });
  addKeyword<readonly (readonly [RegExp, string])[]>({
    id: 'https://json-schema.org/keyword/patternProperties',
    simpleApplicator: true,
    compile: async (schema, ast, parent) => {
      const compiled: [RegExp, string][] = [];
      for await (const [pattern, part] of entries(schema))
        compiled.push([
          toRegExp(pattern),
          await Validation.compile(part as typeof schema, ast, parent),
        ]);
      return compiled;
    },
    interpret: (patterns, instance, context) => {
      if (Instance.typeOf(instance) !== 'object') return true;
      const { evaluatedProperties } = context as { evaluatedProperties?: Set<string> };
      let valid = true;
      for (const [pattern, part] of patterns) {
        for (const [name, property] of Instance.entries(instance)) {
          if (!pattern.test(Instance.value<string>(name))) continue;
          if (!Validation.interpret(part, property, context)) valid = false;
          evaluatedProperties?.add(Instance.value<string>(name));
        }
      }
      return valid;
    },
  });
}

/** Compiles a pattern, if possible with the flag `u` that the specification asks for: many are invalid with it. */
function toRegExp(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'u');
  } catch {
    return new RegExp(pattern);
  }
}

const time = /^([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i;
const ipv4 = /^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;

/** The formats that the protocol's forms have, and a few more that tools use; others are not checked. */
const formats: Readonly<Record<string, (text: string) => boolean>> = {
  email: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  uri: isUri,
  date: isDate,
  'date-time': (text) =>
    /^.{10}[t ]/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11)),
  time: isTime,
  uuid: (text) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text),
  ipv4: (text) => ipv4.test(text),
  ipv6: (text) => /^[\da-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`),
};

/** Adds these formats to the library. */
function addFormats(): void {
  for (const [name, isOf] of Object.entries(formats))
    addFormat({
      id: `https://json-schema.org/format/${name}`,
      handler: (value) => typeof value !== 'string' || isOf(value),
    });
}

function isUri(text: string): boolean {
  return /^[a-z][a-z\d+.-]*:[^\s<>"{}|\\^`]*$/i.test(text) && URL.canParse(text);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00Z`);
  // A day that its month does not have becomes one of the next month.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

function isTime(text: string): boolean {
  return time.test(text);
}

for (const scheme of ['http', 'https', 'file']) removeUriSchemePlugin(scheme);
setShouldValidateSchema(false);
addPatternKeywords();
addFormats();

/** The name of each schema while it is in use. */
const address = 'urn:mcp-workbench:schema';

/**
 * Checks a value, without limits on time or memory. Must run one at a time: the library knows schemas by
 * name, and each is removed before the next one is added.
 */
export async function evaluate({ schema, value, property }: SchemaTask): Promise<ValidationResult> {
  const parsed = JSON.parse(schema, readReference) as SchemaObject | boolean;
  // A schema that defines its own keywords would define them for all later schemas, too.
  if (schema.includes('"$vocabulary"')) return unusable('It defines keywords of its own.');
  const { $schema: named, ...anonymous } =
    typeof parsed === 'boolean' ? { allOf: [parsed] } : parsed;
  try {
    registerSchema(anonymous, address, dialectOf(named));
    const compiled = await compile(await partFor(property));
    return await judge(compiled, JSON.parse(value) as SchemaFragment);
  } catch (error) {
    return error instanceof RetrievalError
      ? { kind: 'unchecked', reason: 'reference', detail: error.message }
      : unusable(error instanceof Error ? error.message : String(error));
  } finally {
    unregisterSchema(address);
  }
}

/** Looks up a JSON path, without limits on time or memory: its filters run patterns that others wrote. */
export function lookUp({ path, value }: PathTask): PathAnswer {
  const parsed = JSON.parse(value) as Parameters<typeof query>[0];
  try {
    return { kind: 'found', values: query(parsed, path).slice(0, 2) };
  } catch {
    return { kind: 'noPath' };
  }
}

/** Finds the part to check against by steps, not by address: an address cannot contain every name. */
async function partFor(property: string | undefined): Promise<Browser<SchemaDocument>> {
  const whole = await getSchema(address);
  if (property === undefined) return whole;
  const part = await stepInto(property, await stepInto('properties', whole));
  return part as Browser<SchemaDocument>;
}

/** Unescapes characters in a reference: the library takes each escaped byte for a character of its own. */
function readReference(keyword: string, part: unknown): unknown {
  if (keyword !== '$ref' || typeof part !== 'string') return part;
  const [document = '', fragment] = part.split('#');
  if (fragment === undefined) return part;
  return `${document}#${fragment.replaceAll(/(?:%[89A-F][\dA-F])+/gi, decodePercent)}`;
}

async function judge(compiled: CompiledSchema, value: SchemaFragment): Promise<ValidationResult> {
  const node = fromJs(value);
  const problemsOf = async (errors: readonly OutputUnit[] = []) =>
    readProblems(errors, { value, schema: await getSchema(address) });
  setShouldValidateFormat(false);
  const plain = interpret(compiled, node, DETAILED);
  if (!plain.valid) return { kind: 'invalid', problems: await problemsOf(plain.errors) };
  // Formats are annotations: mismatches are reported, but do not make a value invalid.
  setShouldValidateFormat(true);
  const strict = interpret(compiled, node, DETAILED);
  return { kind: 'valid', notes: strict.valid ? [] : await problemsOf(strict.errors) };
}

function unusable(detail: string): ValidationResult {
  return { kind: 'unchecked', reason: 'unusable', detail };
}

/** Returns the dialect of a schema: in the protocol, draft 2020-12 unless it says otherwise. */
function dialectOf(named: unknown): string {
  const draft =
    typeof named === 'string' ? /draft-0[467]|draft\/2019-09/.exec(named)?.[0] : undefined;
  if (draft === undefined) return 'https://json-schema.org/draft/2020-12/schema';
  return draft.startsWith('draft-')
    ? `http://json-schema.org/${draft}/schema`
    : `https://json-schema.org/${draft}/schema`;
}
