import { nextTurn } from '../../base/async';
import { errorMessage, UserError } from '../../base/errors';
import { type LocalizableMessage, listText, type Translate } from '../../base/translate';
import { type ListKind, type Lists, listKinds, listSpecs } from '../../mcp/lists/listSpecs';
import { SchemaReferences } from '../../mcp/schema/jsonSchema';
import type { Prompt, Tool } from '../../mcp/protocol/types';
import { asRecord, canonicalJson, isRecord } from '../../base/json';
import { jsonText } from '../../base/text/jsonText';
import { plainLabel } from '../../base/text/text';
import type { Server } from '../../mcp/server';
import { sessionInfo, type ServerInfo } from '../../mcp/serverState';

/** Everything that a server says about itself; made of references, so that keeping one costs nothing. */
export interface Surface {
  readonly info: ServerInfo;
  readonly lists: { readonly [K in ListKind]: readonly Lists[K][] };
}

/** The largest surface that is read from a file, in bytes. */
export const maxSurfaceBytes = 50_000_000;

/** Returns a surface as it is written into a file. */
export function surfaceText(surface: Surface): string {
  return `${JSON.stringify(surface, undefined, 2)}\n`;
}

/** Reads the text of a file that has a surface; throws a `UserError` that says why it has none. */
export function parseSurface(text: string, file: string): Surface {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw noSurface(file, (t) => errorMessage(error, t));
  }
  return readSurface(value, file);
}

function noSurface(file: string, why: LocalizableMessage): UserError {
  return new UserError((t) => t('{0} is no surface of a server: {1}', file, why(t)));
}

/** Reads a surface from the parsed text of a file; throws a `UserError` that says why there is none. */
export function readSurface(value: unknown, file: string): Surface {
  const isNone = (why: LocalizableMessage) => noSurface(file, why);
  const { info, lists } = asRecord(value);
  if (!isRecord(info) || !isRecord(info['capabilities']) || !isRecord(lists))
    throw isNone((t) => t('it has no "info" with "capabilities", or no "lists".'));
  for (const kind of listKinds) {
    const entries = lists[kind];
    if (!Array.isArray(entries)) throw isNone((t) => t('"lists" has no list "{0}".', kind));
    for (const entry of entries as unknown[]) {
      const read = listSpecs[kind].read(entry, () => {});
      if ('problem' in read) throw isNone(read.problem);
    }
  }
  return { info, lists } as unknown as Surface;
}

/** Returns the surface of a server that runs; throws a `UserError` if it does not, or one of its lists was not read. */
export function wholeSurfaceOf(server: Server): Surface {
  const info = sessionInfo(server.state);
  if (!info)
    throw new UserError((t) => t('The server "{0}" does not run.', plainLabel(server.name, 60)));
  // A list that was not loaded is as empty as one without entries.
  for (const kind of listKinds) {
    const { error } = server[kind];
    if (error !== undefined)
      throw new UserError((t) => t('The list of {0} was not read: {1}', kind, error));
  }
  return surfaceOf(server, info);
}

/** Returns the surface of a server, with its lists as they are now. */
export function surfaceOf(server: Server, info: ServerInfo): Surface {
  const { tools, prompts, resources, resourceTemplates, skills } = server;
  return {
    info,
    lists: {
      tools: tools.items,
      prompts: prompts.items,
      resources: resources.items,
      resourceTemplates: resourceTemplates.items,
      skills: skills.items,
    },
  };
}

/** A part of a surface: one of its lists, or something that the server says when it connects. */
type SurfacePart = ListKind | keyof ServerInfo;

/** The parts that are not lists. */
const infoParts = [
  'protocolVersion',
  'implementation',
  'capabilities',
  'instructions',
] as const satisfies readonly SurfacePart[];

/** What identifies the entries of each list. */
const keys: { readonly [K in ListKind]: (entry: Lists[K]) => string } = {
  tools: ({ name }) => name,
  prompts: ({ name }) => name,
  resources: ({ uri }) => uri,
  resourceTemplates: ({ uriTemplate }) => uriTemplate,
  skills: ({ uri }) => uri,
};

/** Returns the entries of one part by what identifies them; a part that is not a list is one entry. */
function entriesOf({ info, lists }: Surface, part: SurfacePart): ReadonlyMap<string, unknown> {
  if (!isList(part)) return info[part] === undefined ? new Map() : new Map([['', info[part]]]);
  const keyOf = keys[part] as (entry: unknown) => string;
  return new Map(lists[part].map((entry) => [keyOf(entry), entry]));
}

function isList(part: SurfacePart): part is ListKind {
  return listKinds.some((kind) => kind === part);
}

/** At most this many changes are written out. */
export const maxWritten = 1000;

/** Returns how many changes of each kind there are, in a few words. */
export function countText(changes: readonly SurfaceChange[], t: Translate): string {
  const count = (kind: SurfaceChange['kind']) => changes.filter((one) => one.kind === kind).length;
  if (changes.length === 0) return t('No changes');
  const [changed, added, gone] = [count('changed'), count('new'), count('gone')];
  return [
    ...(changed > 0 ? [t('{0} changed', String(changed))] : []),
    ...(added > 0 ? [t('{0} new', String(added))] : []),
    ...(gone > 0 ? [t('{0} gone', String(gone))] : []),
  ].join(' · ');
}

/** Returns what changed as two texts, before and after, with only the entries that differ. */
export function changesText(changes: readonly SurfaceChange[]): {
  readonly before: string;
  readonly after: string;
} {
  const written = changes.slice(0, maxWritten);
  return { before: sideText(written, 'before'), after: sideText(written, 'after') };
}

function sideText(changes: readonly SurfaceChange[], side: 'before' | 'after'): string {
  const parts: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const change of changes) {
    const value = change[side];
    if (value === undefined) continue;
    if (change.name === '') parts[change.part] = value;
    else {
      const entries = (parts[change.part] ??= Object.create(null)) as Record<string, unknown>;
      entries[change.name] = value;
    }
  }
  return `${jsonText(parts, 2)}\n`;
}

/** At most this many reasons are given for one schema. */
export const maxReasons = 20;
/** Schemas are compared to at most this depth. */
const maxDepth = 20;
/** At most this many pairs of subschemas are compared for one schema. */
const maxPairs = 2000;

type Schema = Readonly<Record<string, unknown>>;

/** What a schema describes: what is sent to a tool, or what comes back. */
type Side = 'input' | 'output';

interface Walk {
  readonly side: Side;
  /** Those of the schemas before and after. */
  readonly references: readonly [SchemaReferences, SchemaReferences];
  readonly reasons: string[];
  readonly t: Translate;
  pairs: number;
}

/**
 * Returns why what fit one schema may not fit the next, one sentence each: what was sent is refused, or what
 * was relied on does not come back.
 */
function schemaBreaks(
  side: Side,
  before: unknown,
  after: unknown,
  t: Translate,
): readonly string[] {
  const referencesOf = (schema: unknown) => new SchemaReferences(asRecord(schema));
  const references = [referencesOf(before), referencesOf(after)] as const;
  const walk: Walk = { side, references, reasons: [], t, pairs: 0 };
  compare(before, after, '', walk, 0);
  return walk.reasons.slice(0, maxReasons);
}

function compare(was: unknown, is: unknown, path: string, walk: Walk, depth: number): void {
  walk.pairs += 1;
  const isFull = walk.reasons.length >= maxReasons || walk.pairs > maxPairs || depth > maxDepth;
  if (isFull) return;
  const before = resolve(was, walk.references[0]);
  const after = resolve(is, walk.references[1]);
  if (!before || !after) return;
  compareTypes(before, after, path, walk);
  compareValues(before, after, path, walk);
  compareProperties(before, after, path, walk, depth);
  if (isRecord(before['items']) && isRecord(after['items']))
    compare(before['items'], after['items'], `${path}[]`, walk, depth + 1);
}

function compareTypes(before: Schema, after: Schema, path: string, { side, reasons, t }: Walk) {
  const [was, is] = [typesOf(before), typesOf(after)];
  if (!was || !is) return;
  const [wide, narrow] = side === 'input' ? [was, is] : [is, was];
  const fits = (type: string) =>
    narrow.includes(type) || (type === 'integer' && narrow.includes('number'));
  const lost = wide.filter((type) => !fits(type));
  if (lost.length === 0) return;
  const types = listText(lost, t);
  reasons.push(
    side === 'input'
      ? t('{0} no longer takes {1}.', nameOf(path, t), types)
      : t('{0} can be {1} now.', nameOf(path, t), types),
  );
}

function compareValues(before: Schema, after: Schema, path: string, { side, reasons, t }: Walk) {
  const is = valuesOf(after);
  if (side === 'output' || !is) return;
  const was = valuesOf(before);
  if (!was) {
    reasons.push(t('{0} takes only certain values now.', nameOf(path, t)));
    return;
  }
  const known = new Set(is.map((value) => JSON.stringify(value)));
  const lost = was.map((value) => JSON.stringify(value)).filter((value) => !known.has(value));
  if (lost.length > 0)
    reasons.push(t('{0} no longer takes {1}.', nameOf(path, t), listText(lost.slice(0, 5), t)));
}

function compareProperties(
  before: Schema,
  after: Schema,
  path: string,
  walk: Walk,
  depth: number,
): void {
  const { side, reasons, t } = walk;
  const [was, is] = [propertiesOf(before), propertiesOf(after)];
  const at = (name: string) => nameOf(path === '' ? name : `${path}.${name}`, t);
  const [mustBefore, mustNow] = [requiredOf(before), requiredOf(after)];
  for (const name of Object.keys(was))
    if (!Object.hasOwn(is, name))
      reasons.push(
        side === 'input'
          ? t('The argument {0} is gone.', at(name))
          : t('The field {0} is gone.', at(name)),
      );
  if (side === 'input')
    for (const name of mustNow)
      if (!mustBefore.has(name)) reasons.push(t('{0} is required now.', at(name)));
  if (side === 'output')
    for (const name of mustBefore)
      if (!mustNow.has(name) && Object.hasOwn(is, name))
        reasons.push(t('{0} can be missing now.', at(name)));
  for (const [name, schema] of Object.entries(was))
    if (Object.hasOwn(is, name))
      compare(schema, is[name], path === '' ? name : `${path}.${name}`, walk, depth + 1);
}

function nameOf(path: string, t: Translate): string {
  return path === '' ? t('The value') : `"${path}"`;
}

/** Follows a schema's reference into its own document; `undefined` if there is no schema. */
function resolve(
  schema: unknown,
  references: SchemaReferences,
  left = maxDepth,
): Schema | undefined {
  if (!isRecord(schema)) return undefined;
  const { $ref } = schema;
  if (typeof $ref !== 'string' || !$ref.startsWith('#/') || left === 0) return schema;
  return resolve(references.find($ref), references, left - 1);
}

function typesOf({ type }: Schema): readonly string[] | undefined {
  const types = Array.isArray(type) ? type : [type];
  return types.every((one) => typeof one === 'string') ? types : undefined;
}

function valuesOf(schema: Schema): readonly unknown[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const']];
  return Array.isArray(schema['enum']) ? schema['enum'] : undefined;
}

function propertiesOf({ properties }: Schema): Schema {
  return isRecord(properties) ? properties : {};
}

function requiredOf({ required }: Schema): ReadonlySet<string> {
  return new Set(
    Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [],
  );
}

/** One entry of a surface that changed, is new, or is gone. */
export interface SurfaceChange {
  readonly kind: 'changed' | 'new' | 'gone';
  readonly part: SurfacePart;
  /** What identifies the entry in its list; empty if the part is not a list. */
  readonly name: string;
  readonly before?: unknown;
  readonly after?: unknown;
  /** Why existing uses of the entry may fail now, one sentence each. */
  readonly breaks: readonly string[];
}

/** After this many entries, other work in the window gets a turn. */
const entriesPerTurn = 200;

/** Returns where two surfaces differ, in the order of their parts; the order of entries does not count. */
export async function compareSurfaces(
  before: Surface,
  after: Surface,
  t: Translate,
): Promise<readonly SurfaceChange[]> {
  const changes: SurfaceChange[] = [];
  let compared = 0;
  for (const part of [...infoParts, ...listKinds]) {
    const [was, is] = [entriesOf(before, part), entriesOf(after, part)];
    for (const name of new Set([...was.keys(), ...is.keys()])) {
      compared += 1;
      if (compared % entriesPerTurn === 0) await nextTurn();
      const change = compareEntries(part, name, was.get(name), is.get(name), t);
      if (change) changes.push(change);
    }
  }
  return changes;
}

function compareEntries(
  part: SurfacePart,
  name: string,
  before: unknown,
  after: unknown,
  t: Translate,
): SurfaceChange | undefined {
  if (before === undefined) return { kind: 'new', part, name, after, breaks: [] };
  if (after === undefined) return { kind: 'gone', part, name, before, breaks: goneBreaks(part, t) };
  if (canonicalJson(before) === canonicalJson(after)) return undefined;
  return { kind: 'changed', part, name, before, after, breaks: breaksOf(part, before, after, t) };
}

/** Resources come and go like data, and nothing depends on instructions. */
function goneBreaks(part: SurfacePart, t: Translate): readonly string[] {
  const isUsedByName = part === 'tools' || part === 'prompts' || part === 'resourceTemplates';
  return isUsedByName ? [t('It is gone.')] : [];
}

function breaksOf(
  part: SurfacePart,
  before: unknown,
  after: unknown,
  t: Translate,
): readonly string[] {
  if (part === 'tools') return toolBreaks(before as Tool, after as Tool, t);
  if (part === 'prompts') return promptBreaks(before as Prompt, after as Prompt, t);
  if (part === 'capabilities')
    return Object.keys(before as object)
      .filter((name) => !Object.hasOwn(after as object, name))
      .map((name) => t('The capability "{0}" is gone.', name));
  return [];
}

function toolBreaks(before: Tool, after: Tool, t: Translate): readonly string[] {
  const outputs =
    before.outputSchema && !after.outputSchema
      ? [t('It no longer has an output schema.')]
      : schemaBreaks('output', before.outputSchema, after.outputSchema, t);
  return [...schemaBreaks('input', before.inputSchema, after.inputSchema, t), ...outputs];
}

function promptBreaks(before: Prompt, after: Prompt, t: Translate): readonly string[] {
  const { arguments: was = [] } = before;
  const { arguments: is = [] } = after;
  const isRequired = (all: typeof is, name: string) =>
    all.some((one) => one.name === name && one.required);
  return [
    ...was
      .filter(({ name }) => is.every((one) => one.name !== name))
      .map(({ name }) => t('The argument {0} is gone.', `"${name}"`)),
    ...is
      .filter(({ name, required }) => required && !isRequired(was, name))
      .map(({ name }) => t('{0} is required now.', `"${name}"`)),
  ];
}
