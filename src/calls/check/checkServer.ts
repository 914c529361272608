import { hasHidden, plainLabel } from '../../base/text/text';
import { kindOf } from '../../mcp/launch/launchKinds';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import { type CallsSession, sendStep } from '../session';
import type { CheckResult } from './finding';
import { type RuleId, rules } from './rules';
import { isCancellation } from '../../base/errors';
import { listKinds } from '../../mcp/lists/listSpecs';
import { ErrorCode } from '../../mcp/protocol/rpcError';
import { canonicalJson } from '../../base/json';
import { type JsonSchema, type Tool, entryNamed } from '../../mcp/protocol/types';
import type { StepAnswered } from '../expect/answer';
import type { StepRequest } from '../format/calls';
import { measureJson, tokensIn } from '../../base/measureJson';
import type { Server } from '../../mcp/server';
import { sessionInfo } from '../../mcp/serverState';
import { problemsText } from '../../mcp/schema/words';
import { inEnglish } from '../../base/translate';

/** What was observed about one rule; `seen` is empty if the rule holds. */
interface Seen {
  readonly id: RuleId;
  readonly seen: readonly string[];
  /** The verdict if something was seen; `failed` if absent. */
  readonly verdict?: CheckResult['verdict'];
}

/** More tokens than this are worth mentioning, for all tools together and for one. */
const manyTokens = 10_000;
const manyTokensOfOne = 2000;
/** At most this many entries of one kind are named. */
const maxNamed = 10;

/** Checks what a server says about itself, without sending it any requests. */
async function checkDefinitions(server: Server, schemas: SchemaCheck): Promise<readonly Seen[]> {
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
  const instructions = sessionInfo(state)?.instructions;
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
  return tokensIn(measureJson({ name, description, inputSchema }).bytes);
}

function named(sentences: readonly string[]): readonly string[] {
  const more = sentences.length - maxNamed;
  return more > 0 ? [...sentences.slice(0, maxNamed), `And ${more} more.`] : sentences;
}

const noSuchResource = -32002;

/**
 * Sends a server requests, most of which it should refuse, and checks its answers. Nobody is asked about them, so no tool
 * of the server is called, whatever it says of itself: only names that it does not have, and could not know before.
 */
async function checkBehavior(
  { server, ...rest }: CallsSession,
  signal: AbortSignal,
): Promise<readonly Seen[]> {
  const noSuchName = `mcp-workbench-${crypto.randomUUID()}`;
  const session: CallsSession = {
    ...rest,
    server,
    call: async (name, args, options) => {
      if (entryNamed(server.tools, name)) throw new Error(`A check calls no tool: ${name}`);
      return rest.call(name, args, options);
    },
  };
  const ask = (request: StepRequest) => sendStep(session, request, { signal });
  const capabilities = sessionInfo(server.state)?.capabilities ?? {};
  return [
    await stable(session),
    capabilities.tools
      ? unknownTool(await ask({ kind: 'call', name: noSuchName, arguments: {} }))
      : skipped('unknownTool', 'The server has no tools.'),
    capabilities.prompts
      ? refused(
          'unknownPrompt',
          [ErrorCode.invalidParams],
          await ask({ kind: 'prompt', name: noSuchName, arguments: {} }),
        )
      : skipped('unknownPrompt', 'The server has no prompts.'),
    capabilities.resources
      ? refused(
          'unknownResource',
          [noSuchResource, ErrorCode.invalidParams],
          await ask({ kind: 'read', uri: `${noSuchName}://none` }),
        )
      : skipped('unknownResource', 'The server has no resources.'),
    await cancel(session, noSuchName),
  ];
}

async function stable({ server }: CallsSession): Promise<Seen> {
  const seen: string[] = [];
  for (const kind of listKinds) {
    const before = server[kind].items;
    await server[kind].refresh();
    const after = server[kind].items;
    if (canonicalJson(before) !== canonicalJson(after))
      seen.push(`The list of ${kind} was another at the second reading.`);
  }
  return { id: 'stable', seen };
}

function unknownTool(answer: StepAnswered): Seen {
  if (answer.kind === 'error') return refused('unknownTool', [ErrorCode.invalidParams], answer);
  const { isError } = answer.result as { readonly isError?: boolean };
  return isError
    ? {
        id: 'unknownTool',
        verdict: 'advice',
        seen: ['It is answered with a result that says isError.'],
      }
    : { id: 'unknownTool', seen: ['It is answered with a result that is no error.'] };
}

function refused(
  id: 'unknownTool' | 'unknownPrompt' | 'unknownResource',
  codes: readonly number[],
  answer: StepAnswered,
): Seen {
  if (answer.kind === 'result') return { id, seen: ['It is answered with a result.'] };
  const { code, message } = answer;
  if (code === undefined) return { id, seen: [`There was no answer: ${plainLabel(message)}`] };
  if (codes.includes(code)) return { id, seen: [] };
  const seen = [`It is answered with the error ${code}: ${plainLabel(message)}`];
  return { id, seen, verdict: 'advice' };
}

async function cancel({ server, call }: CallsSession, noSuchName: string): Promise<Seen> {
  const withdrawn = new AbortController();
  const asked = call(noSuchName, {}, { signal: withdrawn.signal }).then(
    () => undefined,
    (error: unknown) => (isCancellation(error) ? undefined : error),
  );
  queueMicrotask(() => withdrawn.abort());
  await asked;
  await server.tools.refresh();
  const { error } = server.tools;
  return {
    id: 'cancel',
    seen: error === undefined ? [] : [`The next request failed: ${plainLabel(error)}`],
  };
}

function skipped(id: Seen['id'], reason: string): Seen {
  return { id, seen: [reason], verdict: 'skipped' };
}

/** What a check needs. */
export interface CheckOptions {
  readonly schemas: SchemaCheck;
  readonly signal: AbortSignal;
}

/** Checks what every server should do, and ends the session to see how the server exits. */
export async function checkServer(
  session: CallsSession,
  { schemas, signal }: CheckOptions,
): Promise<readonly CheckResult[]> {
  const { server } = session;
  const seen = [
    ...(await checkDefinitions(server, schemas)),
    ...(await checkBehavior(session, signal)),
  ];
  const isProcess = kindOf(server.definition.config).isProcess;
  const { unexpectedOutput } = server.lastAttempt;
  seen.push(
    isProcess
      ? { id: 'stdout', seen: unexpectedOutput === undefined ? [] : [plainLabel(unexpectedOutput)] }
      : notAProcess('stdout'),
  );
  await session.end();
  seen.push(
    isProcess
      ? {
          id: 'exit',
          seen: !server.lastAttempt.neededSignal
            ? []
            : ['Something still ran two seconds later, and was told by a signal.'],
        }
      : notAProcess('exit'),
  );
  return seen.map(toResult);
}

function notAProcess(id: Seen['id']): Seen {
  return { id, seen: ['The server is reached at an address.'], verdict: 'skipped' };
}

function toResult({ id, seen, verdict = 'failed' }: Seen): CheckResult {
  return { id, ...rules[id], seen, verdict: seen.length === 0 ? 'passed' : verdict };
}
