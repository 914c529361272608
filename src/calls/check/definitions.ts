import { measureJson } from '../../base/measureJson';
import { hasHidden, plainLabel } from '../../base/text/text';
import { listKinds } from '../../mcp/lists/listSpecs';
import type { JsonSchema, Tool } from '../../mcp/protocol/types';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import type { Server } from '../../mcp/server';
import { problemsText } from '../../mcp/schema/words';
import { inEnglish } from '../../base/translate';
import type { CheckResult } from './finding';
import type { RuleId } from './rules';

/** What was observed about one rule; `seen` is empty if the rule holds. */
export interface Seen {
  readonly id: RuleId;
  readonly seen: readonly string[];
  /** The verdict if something was seen; `failed` if absent. */
  readonly verdict?: CheckResult['verdict'];
}

/** About this many bytes of JSON make one token of a model. */
const bytesPerToken = 4;
/** More tokens than this are worth mentioning, for all tools together and for one. */
const manyTokens = 10_000;
const manyTokensOfOne = 2000;
/** At most this many entries of one kind are named. */
const maxNamed = 10;

/** Checks what a server says about itself, without sending it any requests. */
export async function checkDefinitions(
  server: Server,
  schemas: SchemaCheck,
): Promise<readonly Seen[]> {
  const { state } = server;
  const problems = listKinds.flatMap((kind) => {
    const { error } = server[kind];
    return [...(error === undefined ? [] : [error]), ...server[kind].problems];
  });
  const isEndless = (text: string) => text.startsWith('The list was cut');
  const isTwice = (text: string) => text.startsWith('The second "');
  const tools = server.tools.items;
  return [
    { id: 'handshake', seen: (state.kind === 'running' && state.problems) || [] },
    { id: 'lists', seen: problems.filter((text) => !isEndless(text) && !isTwice(text)) },
    { id: 'unique', seen: problems.filter(isTwice) },
    { id: 'cursors', seen: problems.filter(isEndless) },
    { id: 'names', ...namesSeen(tools), verdict: 'advice' },
    { id: 'schemas', seen: named(await badSchemas(tools, schemas)) },
    {
      id: 'descriptions',
      verdict: 'advice',
      seen: named(
        tools.filter((tool) => !tool.description?.trim()).map(({ name }) => `"${name}" has none.`),
      ),
    },
    { id: 'hidden', seen: named(hiddenTexts(server)) },
    { id: 'size', ...sizeSeen(tools) },
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
  schemas: SchemaCheck,
): Promise<readonly string[]> {
  const found: string[] = [];
  for (const { name, inputSchema, outputSchema } of tools) {
    const all: (readonly [string, JsonSchema | undefined])[] = [
      ['input', inputSchema],
      ['output', outputSchema],
    ];
    for (const [kind, schema] of all) {
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

function hiddenTexts(server: Server): readonly string[] {
  const { state } = server;
  const instructions = state.kind === 'running' ? state.info.instructions : undefined;
  const found =
    instructions && hasHidden(instructions) ? [`The instructions: ${excerpt(instructions)}`] : [];
  for (const kind of listKinds)
    for (const entry of server[kind].items) {
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
  return Math.ceil(measureJson({ name, description, inputSchema }).bytes / bytesPerToken);
}

function named(sentences: readonly string[]): readonly string[] {
  const more = sentences.length - maxNamed;
  return more > 0 ? [...sentences.slice(0, maxNamed), `And ${more} more.`] : sentences;
}
