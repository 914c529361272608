import { applyEdits, modify } from 'jsonc-parser';
import { UserError } from '../base/errors';
import type { Json, JsonObject } from '../mcp/protocol/types';
import { type StepAnswered, textOfResult, valueOfResult } from './expect/answer';
import type { CallStep, StepRequest } from './format/calls';
import { parseCalls } from './format/parseCalls';
import { escapeVariables } from './format/variables';
import { asRecord, isRecord, canonicalJson } from '../base/json';
import { looksSecret, redactSecrets, redacted, wordsOf } from '../base/secrets/secrets';
import { typeOf } from './expect/matchers';

/** Patterns of values that differ from run to run: times, and generated ids. */
const changing = [
  String.raw`\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?`,
  String.raw`\b[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}\b`,
  String.raw`\b1[5-9]\d{8}(?:\d{3})?\b`,
  String.raw`\b(?=[\da-f]*\d)[\da-f]{16,}\b`,
  String.raw`\b\d\d:\d\d:\d\d\b`,
];
const anyChanging = new RegExp(changing.join('|'), 'gi');
const changingName = /(?:^| )(?:id|uuid|time|timestamp|date|at|duration|ms)$/;

/**
 * Turns a value into an expectation that checks only the type or pattern of secrets and of what differs from
 * run to run.
 */
function openValues(value: unknown, name = ''): Json {
  if (Array.isArray(value)) return value.map((part) => openValues(part));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, openValues(part, key)]),
    );
  const isOpen = changingName.test(wordsOf(name)) || looksSecret(name);
  if (isOpen && value !== null) return { $type: typeOf(value) };
  if (redactSecrets(value) === redacted) return { $type: 'string' };
  if (typeof value === 'string' && value.search(anyChanging) >= 0)
    return { $matches: openPattern(value) };
  if (typeof value === 'number' && String(value).search(anyChanging) >= 0)
    return { $type: 'number' };
  return value as Json;
}

/**
 * Returns arguments as they are written into a step: each secret becomes a variable of the same name, to be
 * given for each run.
 */
function withoutSecrets(args: JsonObject): JsonObject {
  const replace = (value: unknown, name: string): Json => {
    if (value === redacted) return `\${${name.replaceAll(/[^\w-]/g, '_') || 'secret'}}`;
    if (Array.isArray(value)) return value.map((part) => replace(part, name));
    if (!isRecord(value)) return escapeVariables(value as Json);
    const entries = Object.entries(value).map(([key, part]) => [key, replace(part, key)]);
    return Object.fromEntries(entries) as JsonObject;
  };
  return replace(redactSecrets(args), '') as JsonObject;
}

/** True if part of a text differs from run to run. */
function isChanging(text: string): boolean {
  return text.search(anyChanging) >= 0;
}

/** Returns a regular expression for a text that accepts anything in place of what differs from run to run. */
function openPattern(text: string): string {
  const parts = text
    .split(anyChanging)
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  return `^${parts.join('.+')}$`;
}

/** Of a text longer than this, in UTF-16 units, only the first line is expected. */
const longestText = 4000;

/** Returns the `expect` of a step for which this answer is right; times, ids, and secrets are left open. */
function expectationOf(request: StepRequest, answer: StepAnswered): JsonObject {
  return escapeVariables(plainExpectation(request, answer));
}

function plainExpectation(request: StepRequest, answer: StepAnswered): JsonObject {
  if (answer.kind === 'error')
    return {
      error: {
        ...(answer.code !== undefined && { code: answer.code }),
        ...(answer.code === undefined && { contains: answer.message }),
      },
    };
  const { result, tool } = answer;
  if (request.kind === 'list') return { json: { [request.list]: namesOf(result, request.list) } };
  const failed = asRecord(result)['isError'] === true;
  const value = valueOfResult(result);
  const structured = asRecord(result)['structuredContent'] !== undefined;
  const text = textOfResult(result);
  return {
    ...(failed && { isError: true }),
    ...(structured && tool?.outputSchema && !failed && { schema: true }),
    ...(value !== result || request.kind === 'complete'
      ? { json: openValues(value) }
      : text === ''
        ? { result: openValues(typesOf(result)) }
        : { text: expectedText(text) }),
  };
}

function expectedText(text: string): JsonObject {
  if (text.length > longestText)
    return { contains: text.slice(0, longestText).split('\n')[0] ?? '' };
  return isChanging(text) ? { matches: openPattern(text) } : { equals: text };
}

/** Returns only the types of content blocks, for images and other binary content. */
function typesOf(result: unknown): Json {
  const { content } = asRecord(result);
  if (!Array.isArray(content)) return {};
  return { content: content.map((block) => ({ type: String(asRecord(block)['type']) })) };
}

function namesOf(result: unknown, list: string): Json {
  const items = asRecord(result)[list];
  if (!Array.isArray(items)) return [];
  return items.filter(isRecord).map(({ name }) => ({ name: String(name) }));
}

const formattingOptions = { insertSpaces: true, tabSize: 2, eol: '\n' };

/** A call to save, with what came back. */
export interface SavedCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** Absent if only the call is known. */
  readonly answer?: StepAnswered;
}

/** Returns the text of a file for a server, without steps. */
export function newCallsFile(server: string): string {
  return `${JSON.stringify({ from: server, steps: [] }, undefined, 2)}\n`;
}

/** Returns the text of a file with one more step, which expects what came back, if that is known. */
export function addStep(text: string, { tool, arguments: args, answer }: SavedCall): string {
  const request = { kind: 'call', name: tool, arguments: args } as const;
  const names = new Set(parseCalls(text).steps.map(({ name }) => name));
  let name = tool;
  for (let count = 2; names.has(name); count += 1) name = `${tool} (${count})`;
  const step = {
    name,
    call: escapeVariables(tool),
    arguments: withoutSecrets(args),
    ...(answer && { expect: expectationOf(request, answer) }),
  };
  return applyEdits(
    text,
    modify(text, ['steps', -1], step, { formattingOptions, isArrayInsertion: true }),
  );
}

/**
 * Returns the text of a file in which a step that ran expects what came back; its `maxMs` and `snapshot`
 * stay. Throws a `UserError` if the step is gone from the text, or is not the same as when it ran.
 */
export function updateExpectation(text: string, ran: CallStep, answer: StepAnswered): string {
  const step = parseCalls(text).steps.find(({ name }) => name === ran.name);
  if (!step) throw new UserError((t) => t('The step {0} no longer exists.', ran.name));
  if (canonicalJson(writtenOf(step)) !== canonicalJson(writtenOf(ran)))
    throw new UserError((t) =>
      t('The step {0} was changed while it ran. Update it again.', ran.name),
    );
  const { maxMs, snapshot } = step.expect;
  const expect = {
    ...expectationOf(step.request, answer),
    ...(snapshot !== undefined && { snapshot }),
    ...(maxMs !== undefined && { maxMs }),
  };
  return applyEdits(
    text,
    modify(text, ['steps', step.index, 'expect'], expect, { formattingOptions }),
  );
}

/**
 * Returns what a step says, regardless of its position: a step without a name may have been moved and now
 * have the generated name that another one had.
 */
function writtenOf({ request, expect, save }: CallStep): unknown {
  return { request, expect, save };
}
