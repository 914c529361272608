import { removeUriSchemePlugin, RetrievalError, step, type Browser } from '@hyperjump/browser';
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
  compile,
  DETAILED,
  getSchema,
  interpret,
  type CompiledSchema,
  type SchemaDocument,
} from '@hyperjump/json-schema/experimental';
import { fromJs } from '@hyperjump/json-schema/instance/experimental';
import { query } from 'jsonpath-rfc9535';
import { decodePercent } from '../../base/text/text';
import { addFormats } from './formats';
import { addPatternKeywords } from './keywords';
import { readProblems } from './readProblems';
import type { PathAnswer, PathTask, SchemaTask, SchemaVerdict } from './verdict';

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
export async function evaluate({ schema, value, property }: SchemaTask): Promise<SchemaVerdict> {
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
  const part = await step(property, await step('properties', whole));
  return part as Browser<SchemaDocument>;
}

/** Unescapes characters in a reference: the library takes each escaped byte for a character of its own. */
function readReference(keyword: string, part: unknown): unknown {
  if (keyword !== '$ref' || typeof part !== 'string') return part;
  const [document = '', fragment] = part.split('#');
  if (fragment === undefined) return part;
  return `${document}#${fragment.replaceAll(/(?:%[89A-F][\dA-F])+/gi, decodePercent)}`;
}

async function judge(compiled: CompiledSchema, value: SchemaFragment): Promise<SchemaVerdict> {
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

function unusable(detail: string): SchemaVerdict {
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
