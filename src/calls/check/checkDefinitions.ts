import { isRecord } from '../../base/json';
import { errorMessage } from '../../base/errors';
import { hasHidden, plainLabel } from '../../base/text/text';
import { inEnglish } from '../../base/translate';
import { measureJson, tokensIn } from '../../base/measureJson';
import { type ListKind, type Lists, listKinds, listSpecs } from '../../mcp/lists/listSpecs';
import { type LoadedList, loadList } from '../../mcp/lists/loadList';
import { ErrorCode, RpcError, findRpcError } from '../../mcp/protocol/rpcError';
import type { JsonSchema, Tool } from '../../mcp/protocol/types';
import { isTemplate } from '../../mcp/protocol/uriTemplate';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import { problemsText } from '../../mcp/schema/words';
import type { Server } from '../../mcp/server';
import { sessionInfo } from '../../mcp/serverState';
import type { Seen } from './finding';

/** More tokens than this are worth mentioning, for all tools together and for one. */
const manyTokens = 10_000;
const manyTokensOfOne = 2000;
/** At most this many entries of one kind are named. */
const maxNamed = 10;

/** The lists of a server at one reading; a list that it does not offer is empty. */
export type ReadLists = { readonly [K in ListKind]: LoadedList<Lists[K]> };

/** What one reading of all lists found. */
export interface ListsFound {
  readonly lists: ReadLists;
  /** Why lists could not be read. */
  readonly failures: readonly string[];
  /** The lists that could not be read, which are empty here. */
  readonly unread: readonly ListKind[];
  /** The methods of lists that the server has declared and does not know. */
  readonly unknown: readonly string[];
}

const nothing: LoadedList<never> = { items: [], problems: [] };

/** Reads the lists that a server says it has, whose problems are in English; rejects if `signal` aborts. */
export async function readLists(server: Server, signal: AbortSignal): Promise<ListsFound> {
  const capabilities = sessionInfo(server.state)?.capabilities ?? {};
  const failures: string[] = [];
  const unread: ListKind[] = [];
  const unknown: string[] = [];
  const read = async <K extends ListKind>(kind: K): Promise<LoadedList<Lists[K]>> => {
    const spec = listSpecs[kind];
    if (!spec.isOffered(capabilities)) return nothing;
    const request = async (method: string, params: Readonly<Record<string, unknown>>) => {
      try {
        return await server.sendRequest(method, params, { signal });
      } catch (error) {
        const answered = findRpcError(error);
        if (!answered) throw error;
        if (answered.code === ErrorCode.methodNotFound) unknown.push(method);
        throw new RpcError(answered.code, answered.message);
      }
    };
    try {
      return await loadList(spec, request);
    } catch (error) {
      signal.throwIfAborted();
      unread.push(kind);
      failures.push(`The list of ${kind} was not read: ${plainLabel(errorMessage(error), 300)}`);
      return nothing;
    }
  };
  return {
    lists: {
      tools: await read('tools'),
      prompts: await read('prompts'),
      resources: await read('resources'),
      resourceTemplates: await read('resourceTemplates'),
      skills: await read('skills'),
    },
    failures,
    unread,
    unknown,
  };
}

/** What checks the schemas of a server, one after another, until `signal` aborts. */
interface DefinitionTools {
  readonly schemas: SchemaCheck;
  readonly signal: AbortSignal;
}

/** Checks what a server says about itself, without sending it any more requests; rejects if `signal` aborts. */
export async function checkDefinitions(
  server: Server,
  { lists, failures, unknown }: ListsFound,
  { schemas, signal }: DefinitionTools,
): Promise<readonly Seen[]> {
  const all = listKinds.map((kind) => lists[kind]);
  // The pages of a list without an end have the same entries again and again: that is one finding.
  const ended = all.filter(({ cut }) => cut === undefined);
  const repeats = ended.flatMap((list) => list.repeats ?? []);
  const tools = lists.tools.items;
  const unusable = ended.flatMap((list) =>
    list.problems.filter((text) => !list.repeats?.includes(text)),
  );
  return [
    { id: 'lists', seen: [...failures, ...unusable] },
    { id: 'unique', seen: repeats },
    { id: 'cursors', seen: all.flatMap(({ cut }) => cut ?? []) },
    {
      id: 'declared',
      seen: unknown.map((method) => `${method} is answered with the error -32601.`),
      // A server without templates often has no list of them.
      verdict: unknown.some((method) => !method.includes('templates')) ? 'failed' : 'advice',
    },
    { id: 'names', ...namesSeen(tools), verdict: 'advice' },
    { id: 'schemas', seen: named(await badSchemas(tools, { schemas, signal })) },
    {
      id: 'descriptions',
      verdict: 'advice',
      seen: named(
        tools
          .filter((tool) => !tool.description?.trim())
          .map(({ name }) => `"${plainLabel(name, 100)}" has none.`),
      ),
    },
    { id: 'hidden', seen: named(hiddenTexts(server, lists)) },
    { id: 'size', ...sizeSeen(tools) },
    {
      id: 'templates',
      seen: named(
        lists.resourceTemplates.items
          .filter(({ uriTemplate }) => !isTemplate(uriTemplate))
          .map(({ uriTemplate }) => `"${plainLabel(uriTemplate, 200)}" does not.`),
      ),
    },
  ];
}

/** Returns about how many tokens the definitions of tools take. */
export function definitionTokens(tools: readonly Tool[]): number {
  return tools.reduce((sum, tool) => sum + tokensOf(tool), 0);
}

function namesSeen(tools: readonly Tool[]): Pick<Seen, 'seen'> {
  const unsafe = tools.filter(({ name }) => !/^[\w-]{1,64}$/.test(name));
  return { seen: named(unsafe.map(({ name }) => `"${plainLabel(name, 100)}" is not.`)) };
}

async function badSchemas(
  tools: readonly Tool[],
  { schemas, signal }: DefinitionTools,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, inputSchema, outputSchema } of tools) {
    const all: (readonly [string, JsonSchema | undefined])[] = [
      ['input', inputSchema],
      ['output', outputSchema],
    ];
    for (const [kind, schema] of all) {
      // Thousands of them may each take all of their time.
      signal.throwIfAborted();
      const problem = schema && (await schemaProblem(schema, schemas));
      if (problem) found.push(`The ${kind} schema of "${plainLabel(name, 100)}": ${problem}`);
    }
  }
  return found;
}

const drafts = /draft-0[467]|draft\/20(?:19-09|20-12)/;

async function schemaProblem(
  schema: JsonSchema,
  schemas: SchemaCheck,
): Promise<string | undefined> {
  if (schema['type'] !== 'object') return 'its "type" is not "object".';
  const { $schema: dialect } = schema;
  const draft = typeof dialect === 'string' ? drafts.exec(dialect)?.[0] : 'draft/2020-12';
  if (draft === undefined) return `its "$schema" is unknown: ${plainLabel(String(dialect), 100)}`;
  const meta = draft.startsWith('draft-')
    ? {
        $schema: `http://json-schema.org/${draft}/schema#`,
        $ref: `http://json-schema.org/${draft}/schema`,
      }
    : { $ref: `https://json-schema.org/${draft}/schema` };
  const valid = await schemas.check(meta, schema);
  if (valid.kind === 'invalid') return `${problemsText(valid.problems, inEnglish)}.`;
  const used = await schemas.check(schema, {});
  return used.kind === 'unchecked' && used.reason !== 'time'
    ? `it cannot be used (${used.detail ?? used.reason}).`
    : undefined;
}

function hiddenTexts({ state }: Server, lists: ReadLists): readonly string[] {
  const instructions = sessionInfo(state)?.instructions;
  const found =
    instructions && hasHidden(instructions) ? [`The instructions: ${excerpt(instructions)}`] : [];
  for (const kind of listKinds)
    for (const entry of lists[kind].items) {
      const text = textsOf(entry).find((one) => hasHidden(one));
      const { name } = 'frontmatter' in entry ? entry.frontmatter : entry;
      if (text !== undefined) found.push(`"${plainLabel(name, 100)}": ${excerpt(text)}`);
    }
  return found;
}

/** Returns all texts in a value, except for those in icons and `_meta`. */
function textsOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    key === 'icons' || key === '_meta' ? [] : textsOf(part),
  );
}

function excerpt(text: string): string {
  const at = Array.from(text).findIndex((character) => hasHidden(character));
  return plainLabel(
    Array.from(text)
      .slice(Math.max(0, at - 30), at + 30)
      .join(''),
    200,
  );
}

function sizeSeen(tools: readonly Tool[]): Pick<Seen, 'seen' | 'verdict'> {
  const total = definitionTokens(tools);
  const large = tools
    .map((tool) => ({ name: tool.name, tokens: tokensOf(tool) }))
    .filter(({ tokens }) => tokens > manyTokensOfOne);
  const seen = [
    ...(total > manyTokens ? [`All ${tools.length} take about ${total} tokens.`] : []),
    ...named(large.map(({ name, tokens }) => `"${plainLabel(name, 100)}" takes about ${tokens}.`)),
  ];
  return { seen, verdict: 'advice' };
}

function tokensOf({ name, description, inputSchema }: Tool): number {
  return tokensIn(measureJson({ name, description, inputSchema }).bytes);
}

/** Returns the first of many sentences, and how many more there are. */
export function named(sentences: readonly string[]): readonly string[] {
  const more = sentences.length - maxNamed;
  return more > 0 ? [...sentences.slice(0, maxNamed), `And ${more} more.`] : sentences;
}

/** The most values of a completion. */
const maxCompletions = 100;

/** Says what is wrong with the result of `completion/complete`, if anything is. */
export function completionProblem(result: unknown): string | undefined {
  const completion = isRecord(result) ? result['completion'] : undefined;
  if (!isRecord(completion)) return 'there is no "completion" in the result.';
  const { values, total, hasMore } = completion;
  if (!Array.isArray(values) || values.some((value) => typeof value !== 'string'))
    return '"values" is no list of texts.';
  if (values.length > maxCompletions)
    return `"values" has ${values.length} entries, more than ${maxCompletions}.`;
  if (total !== undefined && !Number.isInteger(total)) return '"total" is no whole number.';
  return hasMore === undefined || typeof hasMore === 'boolean'
    ? undefined
    : '"hasMore" is neither true nor false.';
}
