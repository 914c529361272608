import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  parseTree,
} from 'jsonc-parser';
import { UserError } from '../base/errors';
import type { TextRange } from '../base/text/jsonc';
import type { Json, JsonObject } from '../mcp/protocol/types';
import {
  type StepAnswered,
  compareJson,
  readMatcher,
  textOfResult,
  typeOf,
  valueOfResult,
} from './expect/answer';
import type { CallStep, Expectation, StepRequest } from './format/calls';
import { parseCalls } from './format/parseCalls';
import { escapeVariables } from './format/variables';
import { asRecord, isRecord, canonicalJson } from '../base/json';
import { withoutSecrets } from '../base/secretMask';
import { looksSecret, redactSecrets, redactText, redacted, wordsOf } from '../base/secrets';
import { withoutPasswords } from '../base/secrets';
import { type JudgeTools, patternMatcher, valuesAt } from './expect/judge';
import type { StepResult } from './runCalls';

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
function openValues(value: unknown, name = '', beside: unknown = ''): Json {
  if (Array.isArray(value)) return withoutPasswords(value, beside).map((part) => openValues(part));
  if (isRecord(value))
    return Object.fromEntries(
      Object.entries(value).map(([key, part]) => [key, openValues(part, key, value['command'])]),
    );
  const isOpen = changingName.test(wordsOf(name)) || looksSecret(name);
  if (isOpen && value !== null) return { $type: typeOf(value) };
  if (redactSecrets(value) === redacted) return { $type: 'string' };
  if (typeof value === 'string') {
    const text = opened(value);
    return text.isOpen ? { $matches: text.pattern } : value;
  }
  if (typeof value === 'number' && String(value).search(anyChanging) >= 0)
    return { $type: 'number' };
  return value as Json;
}

/**
 * Returns arguments as they are written into a step: each secret becomes a variable of the same name, to be
 * given for each run.
 */
function withVariables(args: JsonObject): JsonObject {
  const replace = (value: unknown, name: string): Json => {
    if (typeof value === 'string' && value.includes(redacted)) {
      const variable = `\${${name.replaceAll(/[^\w-]/g, '_') || 'secret'}}`;
      const [last = '', ...before] = value
        .split(redacted)
        .map((part) => escapeVariables(part))
        .toReversed();
      // Signs before a variable would be read with its own.
      return before.reduce(
        (text, part) => part.replace(/(?<!\$)\$+$/, '$&$&') + variable + text,
        last,
      );
    }
    if (Array.isArray(value)) return value.map((part) => replace(part, name));
    if (!isRecord(value)) return escapeVariables(value as Json);
    const entries = Object.entries(value).map(([key, part]) => [key, replace(part, key)]);
    return Object.fromEntries(entries) as JsonObject;
  };
  return replace(withoutSecrets(args), '') as JsonObject;
}

/** Returns a pattern for a text that is open for anything in place of what differs from run to run, and of secrets. */
function opened(text: string): { readonly pattern: string; readonly isOpen: boolean } {
  const parts = redactText(text)
    .split(redacted)
    .flatMap((part) => part.split(anyChanging))
    .map((part) => part.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  return { pattern: `^${parts.join('.+')}$`, isOpen: parts.length > 1 };
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
        ...(answer.code === undefined && { contains: beforeSecret(answer.message) }),
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

/** Returns a text as far as it has no secret. */
function beforeSecret(text: string): string {
  return redactText(text).split(redacted)[0] ?? '';
}

function firstLine(text: string): string {
  return beforeSecret(text.slice(0, longestText).split('\n')[0] ?? '');
}

function expectedText(text: string): JsonObject {
  if (text.length > longestText) return { contains: firstLine(text) };
  const { pattern, isOpen } = opened(text);
  return isOpen ? { matches: pattern } : { equals: text };
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
export interface SavedCall extends Omit<Extract<StepRequest, { kind: 'call' }>, 'kind' | 'name'> {
  readonly tool: string;
  /** Absent if only the call is known. */
  readonly answer?: StepAnswered;
}

/** Returns the text of a file for a server, without steps. */
export function newCallsFile(server: string): string {
  return `${JSON.stringify({ from: server, steps: [] }, undefined, 2)}\n`;
}

/** Returns the text of a file with one more step, which expects what came back, if that is known. */
export function addStep(text: string, call: SavedCall): string {
  const { tool, arguments: args, meta, asTask, answer } = call;
  const request = { kind: 'call', name: tool, arguments: args } as const;
  const names = new Set(parseCalls(text).steps.map(({ name }) => name));
  let name = tool;
  for (let count = 2; names.has(name); count += 1) name = `${tool} (${count})`;
  const step = {
    name,
    call: escapeVariables(tool),
    arguments: withVariables(args),
    ...(meta && { _meta: withVariables(meta) }),
    ...(asTask !== undefined && { task: asTask === false ? asTask : { ttl: asTask } }),
    ...(answer && { expect: expectationOf(request, answer) }),
  };
  return applyEdits(
    text,
    modify(text, ['steps', -1], step, { formattingOptions, isArrayInsertion: true }),
  );
}

/** Returns where the name of the last step is, without its quotes: what is typed over it keeps the file readable. */
export function lastNameRange(text: string): TextRange | undefined {
  const range = parseCalls(text).steps.at(-1)?.nameRange;
  return (
    range && { ...range, character: range.character + 1, endCharacter: range.endCharacter - 1 }
  );
}

/** A step that ran, with what came back. */
export type UpdatedStep = Required<Pick<StepResult, 'step' | 'answer' | 'expect'>>;

/**
 * Returns the text of a file in which a step that ran expects what came back. What it expects keeps its shape: only what
 * does not hold is written anew, in the words it is in, and all other text stays as it is. Rejects with a `UserError` if
 * the step is gone from the text, or is not the same as when it ran.
 */
export async function updateExpectation(
  text: string,
  { step: ran, answer, expect }: UpdatedStep,
  tools: JudgeTools,
): Promise<string> {
  const step = parseCalls(text).steps.find(({ name }) => name === ran.name);
  if (!step) throw new UserError((t) => t('The step {0} no longer exists.', ran.name));
  if (canonicalJson(writtenOf(step)) !== canonicalJson(writtenOf(ran)))
    throw new UserError((t) =>
      t('The step {0} was changed while it ran. Update it again.', ran.name),
    );
  const changes = await new Reshaping(step, expect, tools).changes(answer);
  const place = ['steps', step.index, 'expect'];
  return changes.reduce((now, change) => changed(now, place, change), text);
}

/** A value inside of `expect` to write; `undefined` removes it or, of a list, all members but the first `kept`. */
interface Change {
  readonly path: readonly (string | number)[];
  readonly value: Json | undefined;
  readonly kept?: number;
}

/** Returns the text of a file with a change inside of a value at `place`. */
function changed(text: string, place: JSONPath, { path, value, kept }: Change): string {
  const at = [...place, ...path];
  // Formatting what is written anew would format what stands beside it, too.
  const options = path.length === 0 ? { formattingOptions } : {};
  if (kept === undefined) return applyEdits(text, modify(text, at, value, options));
  const members = findNodeAtLocation(parseTree(text) as Node, at)?.children ?? [];
  const last = members.at(-1);
  const [first, before] = [members[0], members[kept - 1]];
  const start = before ? before.offset + before.length : first?.offset;
  if (!last || start === undefined) return text;
  return text.slice(0, start) + text.slice(last.offset + last.length);
}

/** Finds what has to change for an expectation to hold; `written` has variables, which are filled in `filled`. */
class Reshaping {
  private readonly step: CallStep;
  private readonly filled: Expectation;
  private readonly tools: JudgeTools;
  private readonly matches: ReturnType<typeof patternMatcher>;

  constructor(step: CallStep, filled: Expectation, tools: JudgeTools) {
    this.step = step;
    this.filled = filled;
    this.tools = tools;
    this.matches = patternMatcher(tools, []);
  }

  async changes(answer: StepAnswered): Promise<readonly Change[]> {
    const { request, expect } = this.step;
    const { maxMs, snapshot, error, asked, ...checks } = expect;
    const isEmpty = Object.keys(checks).length === 0 && !error && !asked && snapshot === undefined;
    const questions = asked
      ? await this.ofValue(['asked'], asked, this.filled.asked, answer.asked ?? [])
      : [];
    const takesError = error !== undefined || (expect.isError === true && !checks.json);
    if (isEmpty || (answer.kind === 'error' ? !takesError : error !== undefined)) {
      const value = {
        ...expectationOf(request, answer),
        ...(snapshot !== undefined && { snapshot }),
        ...(asked && { asked }),
        ...(maxMs !== undefined && { maxMs }),
      };
      return [{ path: [], value }, ...questions];
    }
    const ofAnswer = answer.kind === 'error' ? this.ofError(answer) : this.ofResult(answer);
    return [...(await ofAnswer), ...questions];
  }

  private async ofError(answer: Extract<StepAnswered, { kind: 'error' }>): Promise<Change[]> {
    const { error, text } = this.filled;
    const { code, message } = answer;
    if (!error) return text ? this.ofText(message) : [];
    return [
      ...(error.code === undefined || error.code === code
        ? []
        : [{ path: ['error', 'code'], value: code }]),
      ...(error.contains === undefined || message.includes(error.contains)
        ? []
        : [{ path: ['error', 'contains'], value: escapeVariables(beforeSecret(message)) }]),
    ];
  }

  private async ofResult({
    result,
    tool,
  }: Extract<StepAnswered, { kind: 'result' }>): Promise<Change[]> {
    const { expect } = this.step;
    const { isError, json, result: whole, paths = {}, schema } = this.filled;
    const failed = asRecord(result)['isError'] === true;
    const value = valueOfResult(result);
    const changes: Change[] = [];
    if (failed !== (isError ?? false)) changes.push({ path: ['isError'], value: failed });
    if (schema && !tool?.outputSchema) changes.push({ path: ['schema'], value: undefined });
    if (expect.text) changes.push(...(await this.ofText(textOfResult(result))));
    if (json !== undefined)
      changes.push(...(await this.ofValue(['json'], expect.json, json, value)));
    if (whole !== undefined)
      changes.push(...(await this.ofValue(['result'], expect.result, whole, result)));
    for (const [path, want] of Object.entries(paths)) {
      const [have, more] = await valuesAt(value, path, this.tools);
      const { matches } = this;
      const holds =
        have !== undefined &&
        more === undefined &&
        (await compareJson(want, have, { exact: true, matches })).length === 0;
      const now = have === undefined || more !== undefined ? undefined : openValue(have, path);
      if (!holds) changes.push({ path: ['paths', path], value: now });
    }
    return changes;
  }

  private async ofText(text: string): Promise<Change[]> {
    const { equals, contains, matches } = this.filled.text ?? {};
    const first = escapeVariables(firstLine(text));
    const write = (key: string, value: Json | undefined) => ({ path: ['text', key], value });
    const { pattern, isOpen } = escapeVariables(opened(text));
    if (equals !== undefined && equals !== text && isOpen)
      // The next answer would differ again: a pattern takes the place of the text.
      return [write('equals', undefined), write('matches', pattern)];
    return [
      ...(equals === undefined || equals === text ? [] : [write('equals', escapeVariables(text))]),
      ...(contains === undefined || text.includes(contains) ? [] : [write('contains', first)]),
      ...(matches === undefined || (await this.matches(matches, text))
        ? []
        : [write('matches', pattern)]),
    ];
  }

  /** Compares a value with what is written of it and with that without variables; what is `shown` has no password in a list. */
  private async ofValue(
    path: Change['path'],
    written: unknown,
    want: unknown,
    have: unknown,
    shown = have,
  ): Promise<Change[]> {
    const { matches } = this;
    if ((await compareJson(want, have, { exact: false, matches })).length === 0) return [];
    const matcher = readMatcher(want);
    if (matcher?.kind === 'pattern' && typeof have === 'string')
      return [
        { path: [...path, '$matches'], value: escapeVariables(opened(String(shown)).pattern) },
      ];
    if (matcher) return [{ path, value: { $type: typeOf(have) } }];
    const parts: Change[] = [];
    if (isRecord(written) && isRecord(want) && isRecord(have)) {
      for (const [key, part] of Object.entries(written))
        parts.push(
          ...(Object.hasOwn(have, key)
            ? await this.ofValue([...path, key], part, want[key], have[key])
            : [{ path: [...path, key], value: undefined }]),
        );
      return parts;
    }
    if (Array.isArray(written) && Array.isArray(want) && Array.isArray(have)) {
      const plain = withoutPasswords(have, '');
      for (const [index, part] of have.entries())
        parts.push(
          ...(index < written.length
            ? await this.ofValue([...path, index], written[index], want[index], part, plain[index])
            : [{ path: [...path, index], value: likeOthers(plain[index], want.at(-1)) }]),
        );
      if (written.length > have.length) parts.push({ path, value: undefined, kept: have.length });
      return parts;
    }
    return [{ path, value: openValue(shown, String(path.at(-1))) }];
  }
}

/** Returns the expectation of one more member of a list, with the fields that the one before it is expected to have. */
function likeOthers(part: unknown, before: unknown): Json {
  if (!isRecord(part) || !isRecord(before) || readMatcher(before)) return openValue(part, '');
  const shared = Object.entries(part).filter(([key]) => Object.hasOwn(before, key));
  return openValue(Object.fromEntries(shared), '');
}

function openValue(value: unknown, name: string): Json {
  return escapeVariables(openValues(value, name));
}

/**
 * Returns what a step says, regardless of its position: a step without a name may have been moved and now
 * have the generated name that another one had.
 */
function writtenOf({ request, expect, answers, save }: CallStep): unknown {
  return { request, expect, answers, save };
}
