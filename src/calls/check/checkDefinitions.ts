import { isRecord } from '../../base/json';
import { errorMessage } from '../../base/errors';
import { hasHidden, plainLabel, wordsLabel } from '../../base/text/text';
import type { Translate } from '../../base/translate';
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
import type { Observation } from './checkResult';

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

/** Reads the lists that a server says it has; rejects if `signal` aborts. */
export async function readLists(
  server: Server,
  signal: AbortSignal,
  t: Translate,
): Promise<ListsFound> {
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
      return await loadList(spec, request, undefined, t);
    } catch (error) {
      signal.throwIfAborted();
      unread.push(kind);
      const reason = wordsLabel(errorMessage(error, t), 300);
      failures.push(t('The list of {0} was not read: {1}', kind, reason));
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

/** What the check of definitions needs: `schemas` tries them one after another until `signal` aborts, and `t` words what is found. */
export interface DefinitionCheckDeps {
  readonly schemas: SchemaCheck;
  readonly signal: AbortSignal;
  readonly t: Translate;
}

/** Checks what a server says about itself, without sending it any more requests; rejects if `signal` aborts. */
export async function checkDefinitions(
  server: Server,
  { lists, failures, unknown }: ListsFound,
  { schemas, signal, t }: DefinitionCheckDeps,
): Promise<readonly Observation[]> {
  const all = listKinds.map((kind) => lists[kind]);
  // The pages of a list without an end have the same entries again and again: that is one finding.
  const ended = all.filter(({ cut }) => cut === undefined);
  const duplicates = ended.flatMap((list) => list.duplicates ?? []);
  const tools = lists.tools.items;
  const unusable = ended.flatMap((list) =>
    list.problems.filter((text) => !list.duplicates?.includes(text)),
  );
  return [
    { id: 'lists', seen: [...failures, ...unusable] },
    { id: 'unique', seen: duplicates },
    { id: 'cursors', seen: all.flatMap(({ cut }) => cut ?? []) },
    {
      id: 'declared',
      seen: unknown.map((method) => t('{0} is answered with the error -32601.', method)),
      // A server without templates often has no list of them.
      outcome: unknown.some((method) => !method.includes('templates')) ? 'failed' : 'advice',
    },
    { id: 'names', ...namesSeen(tools, t), outcome: 'advice' },
    { id: 'schemas', seen: named(await badSchemas(tools, { schemas, signal, t }), t) },
    {
      id: 'descriptions',
      outcome: 'advice',
      seen: named(
        tools
          .filter((tool) => !tool.description?.trim())
          .map(({ name }) => t('"{0}" has none.', plainLabel(name, 100))),
        t,
      ),
    },
    { id: 'hidden', seen: named(hiddenTexts(server, lists, t), t) },
    { id: 'size', ...sizeSeen(tools, t) },
    {
      id: 'templates',
      seen: named(
        lists.resourceTemplates.items
          .filter(({ uriTemplate }) => !isTemplate(uriTemplate))
          .map(({ uriTemplate }) => t('"{0}" does not.', plainLabel(uriTemplate, 200))),
        t,
      ),
    },
  ];
}

/** Returns about how many tokens the definitions of tools take. */
export function definitionTokens(tools: readonly Tool[]): number {
  return tools.reduce((sum, tool) => sum + tokensOf(tool), 0);
}

function namesSeen(tools: readonly Tool[], t: Translate): Pick<Observation, 'seen'> {
  const unsafe = tools.filter(({ name }) => !/^[\w-]{1,64}$/.test(name));
  return {
    seen: named(
      unsafe.map(({ name }) => t('"{0}" is not.', plainLabel(name, 100))),
      t,
    ),
  };
}

async function badSchemas(
  tools: readonly Tool[],
  { schemas, signal, t }: DefinitionCheckDeps,
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
      const problem = schema && (await schemaProblem(schema, schemas, t));
      if (problem === undefined) continue;
      const shown = plainLabel(name, 100);
      found.push(
        kind === 'input'
          ? t('The input schema of "{0}": {1}', shown, problem)
          : t('The output schema of "{0}": {1}', shown, problem),
      );
    }
  }
  return found;
}

const drafts = /draft-0[467]|draft\/20(?:19-09|20-12)/;

async function schemaProblem(
  schema: JsonSchema,
  schemas: SchemaCheck,
  t: Translate,
): Promise<string | undefined> {
  if (schema['type'] !== 'object') return t('its "type" is not "object".');
  const { $schema: dialect } = schema;
  const draft = typeof dialect === 'string' ? drafts.exec(dialect)?.[0] : 'draft/2020-12';
  if (draft === undefined)
    return t('its "$schema" is unknown: {0}', plainLabel(String(dialect), 100));
  const meta = draft.startsWith('draft-')
    ? {
        $schema: `http://json-schema.org/${draft}/schema#`,
        $ref: `http://json-schema.org/${draft}/schema`,
      }
    : { $ref: `https://json-schema.org/${draft}/schema` };
  const valid = await schemas.check(meta, schema);
  if (valid.kind === 'invalid') return t('{0}.', problemsText(valid.problems, t));
  const used = await schemas.check(schema, {});
  return used.kind === 'unchecked' && used.reason !== 'time' && used.reason !== 'memory'
    ? t('it cannot be used ({0}).', used.detail ?? used.reason)
    : undefined;
}

function hiddenTexts({ state }: Server, lists: ReadLists, t: Translate): readonly string[] {
  const instructions = sessionInfo(state)?.instructions;
  const found =
    instructions && hasHidden(instructions) ? [t('Instructions: {0}', excerpt(instructions))] : [];
  for (const kind of listKinds)
    for (const entry of lists[kind].items) {
      const text = textsOf(entry).find((one) => hasHidden(one));
      const { name } = 'frontmatter' in entry ? entry.frontmatter : entry;
      if (text !== undefined) found.push(t('"{0}": {1}', plainLabel(name, 100), excerpt(text)));
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

function sizeSeen(tools: readonly Tool[], t: Translate): Pick<Observation, 'seen' | 'outcome'> {
  const total = definitionTokens(tools);
  const large = tools
    .map((tool) => ({ name: tool.name, tokens: tokensOf(tool) }))
    .filter(({ tokens }) => tokens > manyTokensOfOne);
  const seen = [
    ...(total > manyTokens
      ? [t('All {0} take about {1} tokens.', String(tools.length), String(total))]
      : []),
    ...named(
      large.map(({ name, tokens }) =>
        t('"{0}" takes about {1} tokens.', plainLabel(name, 100), String(tokens)),
      ),
      t,
    ),
  ];
  return { seen, outcome: 'advice' };
}

function tokensOf({ name, description, inputSchema }: Tool): number {
  return tokensIn(measureJson({ name, description, inputSchema }).bytes);
}

/** Returns the first of many sentences, and how many more there are. */
export function named(sentences: readonly string[], t: Translate): readonly string[] {
  const more = sentences.length - maxNamed;
  return more > 0
    ? [...sentences.slice(0, maxNamed), t('{0}.', t('And {0} more', String(more)))]
    : sentences;
}

/** The most values of a completion. */
const maxCompletions = 100;

/** Says what is wrong with the result of `completion/complete`, if anything is. */
export function completionProblem(result: unknown, t: Translate): string | undefined {
  const completion = isRecord(result) ? result['completion'] : undefined;
  if (!isRecord(completion)) return t('there is no "completion" in the result.');
  const { values, total, hasMore } = completion;
  if (!Array.isArray(values) || values.some((value) => typeof value !== 'string'))
    return t('"values" is no list of texts.');
  if (values.length > maxCompletions)
    return t(
      '"values" has {0} entries, more than {1}.',
      String(values.length),
      String(maxCompletions),
    );
  if (total !== undefined && !Number.isInteger(total)) return t('"total" is no whole number.');
  return hasMore === undefined || typeof hasMore === 'boolean'
    ? undefined
    : t('"hasMore" is neither true nor false.');
}
