import type { Browser } from '@hyperjump/browser';
import type { OutputUnit } from '@hyperjump/json-schema';
import { getSchema, type SchemaDocument } from '@hyperjump/json-schema/experimental';
import { decodePercent } from '../../base/text/text';
import type { Json } from '../protocol/types';
import { limitKeywords, type LimitKeyword, type SchemaProblem } from './validation';

const maxProblems = 20;

/** The value that was checked, and the schema as the library knows it. */
interface Checked {
  readonly value: unknown;
  readonly schema: Browser<SchemaDocument>;
}

/** Converts the library's nested output to at most {@link maxProblems} problems that can be put into words. */
export async function readProblems(
  units: readonly OutputUnit[],
  checked: Checked,
): Promise<readonly SchemaProblem[]> {
  const problems = new Map<string, SchemaProblem>();
  for await (const problem of readUnits(units, checked)) {
    problems.set(JSON.stringify(problem), problem);
    if (problems.size >= maxProblems) break;
  }
  return [...problems.values()];
}

async function* readUnits(
  units: readonly OutputUnit[],
  checked: Checked,
): AsyncGenerator<SchemaProblem, void, void> {
  for (const unit of units) yield* readUnit(unit, checked);
}

async function* readUnit(
  unit: OutputUnit,
  checked: Checked,
): AsyncGenerator<SchemaProblem, void, void> {
  const keyword = keywordOf(unit);
  const path = pathOf(unit);
  const inner = unit.errors ?? [];
  switch (keyword) {
    case 'anyOf':
    case 'oneOf':
      return yield* readForms(unit, checked);
    case 'not':
      return yield { path, kind: 'excluded' };
    case 'contains':
    case 'minContains':
    case 'maxContains':
      return yield { path, kind: 'contains' };
    case 'propertyNames':
      for (const name of inner) yield { path: pathOf(name), kind: 'badName' };
      return;
    case 'validate':
      return yield { path, kind: 'forbidden' };
  }
  if (inner.length > 0) yield* readUnits(inner, checked);
  else yield* readLeaf(keyword, path, await keywordValue(unit, checked), checked.value);
}

function* readLeaf(
  keyword: string,
  path: readonly string[],
  wanted: unknown,
  value: unknown,
): Generator<SchemaProblem, void, void> {
  const limit = limitKeywords.find((each): each is LimitKeyword => each === keyword);
  if (limit && typeof wanted === 'number')
    yield { path, kind: 'limit', keyword: limit, limit: wanted };
  else if (keyword === 'required' || keyword === 'dependentRequired' || keyword === 'dependencies')
    for (const name of missingNames(wanted, partAt(value, path)))
      yield { path: [...path, name], kind: 'missing' };
  else if (keyword === 'type')
    yield { path, kind: 'type', types: (Array.isArray(wanted) ? wanted : [wanted]).map(String) };
  else if (keyword === 'enum' && Array.isArray(wanted))
    yield { path, kind: 'choice', values: wanted as readonly Json[] };
  else if (keyword === 'const') yield { path, kind: 'constant', value: wanted as Json };
  else if (keyword === 'pattern') yield { path, kind: 'pattern', pattern: String(wanted) };
  else if (keyword === 'format') yield { path, kind: 'format', format: String(wanted) };
  else if (keyword === 'uniqueItems') yield { path, kind: 'repeated' };
  else yield { path, kind: 'other', keyword };
}

/** Reports how a value fails to match one of several alternatives, in detail if only one comes close. */
async function* readForms(
  unit: OutputUnit,
  checked: Checked,
): AsyncGenerator<SchemaProblem, void, void> {
  const path = pathOf(unit);
  const forms = await keywordValue(unit, checked);
  const count = Array.isArray(forms) ? forms.length : 0;
  const failed = Array.from({ length: count }, (_, index) => {
    const prefix = `${unit.absoluteKeywordLocation}/${index}`;
    return (unit.errors ?? []).filter(
      ({ absoluteKeywordLocation: at }) => at === prefix || at.startsWith(`${prefix}/`),
    );
  }).filter((errors) => errors.length > 0);
  if (failed.length < count) return yield { path, kind: 'manyForms' };
  const close = failed.filter((errors) => !errors.some((error) => isOtherForm(error, unit)));
  if (close.length === 1) return yield* readUnits(close.flat(), checked);
  const types = new Set<string>();
  for (const errors of failed) {
    for await (const problem of readUnits(errors, checked)) {
      if (problem.kind !== 'type' || problem.path.length !== path.length)
        return yield { path, kind: 'noForm' };
      for (const type of problem.types) types.add(type);
    }
  }
  yield { path, kind: 'type', types: [...types] };
}

/** True if a value is of another type altogether, or indicates another alternative by a constant. */
function isOtherForm(error: OutputUnit, whole: OutputUnit): boolean {
  const keyword = keywordOf(error);
  const isWhole = error.instanceLocation === whole.instanceLocation;
  if (isWhole && (keyword === 'type' || keyword === 'enum')) return true;
  if (keyword === 'const') return true;
  return (error.errors ?? []).some((inner) => isOtherForm(inner, whole));
}

function keywordOf({ keyword }: OutputUnit): string {
  return keyword.slice(keyword.lastIndexOf('/') + 1);
}

/** Reads the value of a keyword; the library only resolves its own locations if names are ASCII, so it is not asked. */
async function keywordValue(
  { absoluteKeywordLocation: location }: OutputUnit,
  { schema }: Checked,
): Promise<unknown> {
  const { document } = await getSchema(location.slice(0, location.indexOf('#')), schema);
  return partAt(document.root, stepsOf(location));
}

function pathOf({ instanceLocation }: OutputUnit): readonly string[] {
  return stepsOf(instanceLocation);
}

/** Splits a location, a JSON pointer in a URI fragment; that of a property's name begins with an asterisk. */
function stepsOf(location: string): readonly string[] {
  const [, ...steps] = location.slice(location.indexOf('#') + 1).split('/');
  return steps.map((step) => decodePercent(step).replaceAll('~1', '/').replaceAll('~0', '~'));
}

function partAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (part, step) =>
      typeof part === 'object' && part !== null && Object.hasOwn(part, step)
        ? (part as Readonly<Record<string, unknown>>)[step]
        : undefined,
    value,
  );
}

/** Returns the names that a value lacks of those in `required`, or in a list that another property brings. */
function missingNames(wanted: unknown, part: unknown): readonly string[] {
  if (typeof part !== 'object' || part === null) return [];
  const lists = Array.isArray(wanted)
    ? [wanted]
    : Object.entries(wanted as object).flatMap(([name, list]) =>
        Array.isArray(list) && Object.hasOwn(part, name) ? [list] : [],
      );
  const names = lists.flat().filter((name) => typeof name === 'string');
  return names.filter((name) => !Object.hasOwn(part, name));
}
