import { removeUriSchemePlugin, RetrievalError } from '@hyperjump/browser';
import type { OutputUnit, SchemaFragment, SchemaObject, Validator } from '@hyperjump/json-schema';
import {
  registerSchema,
  setShouldValidateFormat,
  setShouldValidateSchema,
  unregisterSchema,
  validate,
} from '@hyperjump/json-schema/draft-2020-12';
import '@hyperjump/json-schema/draft-04';
import '@hyperjump/json-schema/draft-06';
import '@hyperjump/json-schema/draft-07';
import '@hyperjump/json-schema/draft-2019-09';
import { DETAILED, getSchema } from '@hyperjump/json-schema/experimental';
import { addFormats } from './formats';
import { addPatternKeywords } from './keywords';
import { readProblems } from './readProblems';
import type { SchemaTask, SchemaVerdict } from './verdict';

for (const scheme of ['http', 'https', 'file']) removeUriSchemePlugin(scheme);
setShouldValidateSchema(false);
addPatternKeywords();
addFormats();

/** The name that each schema has while it is in use. */
const address = 'urn:mcp-workbench:schema';

/**
 * Checks a value, with no bound on what that takes. One at a time: the library knows schemas by name,
 * and each is forgotten before the next one comes.
 */
export async function evaluate({ schema, value, at = '' }: SchemaTask): Promise<SchemaVerdict> {
  const parsed = JSON.parse(schema) as SchemaObject | boolean;
  // One that says what its own keywords mean would say it for all schemas that come later.
  if (schema.includes('"$vocabulary"')) return unusable('It defines keywords of its own.');
  const { $schema: named, ...anonymous } =
    typeof parsed === 'boolean' ? { allOf: [parsed] } : parsed;
  try {
    registerSchema(anonymous, address, dialectOf(named));
    const check = await validate(`${address}${at && `#${encodeURI(at)}`}`);
    return await judge(check, JSON.parse(value) as SchemaFragment);
  } catch (error) {
    return error instanceof RetrievalError
      ? { kind: 'unchecked', reason: 'reference', detail: error.message }
      : unusable(error instanceof Error ? error.message : String(error));
  } finally {
    unregisterSchema(address);
  }
}

async function judge(check: Validator, value: SchemaFragment): Promise<SchemaVerdict> {
  const problemsOf = async (errors: readonly OutputUnit[] = []) =>
    readProblems(errors, { value, schema: await getSchema(address) });
  setShouldValidateFormat(false);
  const plain = check(value, DETAILED);
  if (!plain.valid) return { kind: 'invalid', problems: await problemsOf(plain.errors) };
  // Formats are annotations: what they say is told, but it makes nothing invalid.
  setShouldValidateFormat(true);
  const strict = check(value, DETAILED);
  return { kind: 'valid', notes: strict.valid ? [] : await problemsOf(strict.errors) };
}

function unusable(detail: string): SchemaVerdict {
  return { kind: 'unchecked', reason: 'unusable', detail };
}

/** Schemas of the protocol are of draft 2020-12 unless they say otherwise. */
function dialectOf(named: unknown): string {
  const draft =
    typeof named === 'string' ? /draft-0[467]|draft\/2019-09/.exec(named)?.[0] : undefined;
  if (draft === undefined) return 'https://json-schema.org/draft/2020-12/schema';
  return draft.startsWith('draft-')
    ? `http://json-schema.org/${draft}/schema`
    : `https://json-schema.org/${draft}/schema`;
}
