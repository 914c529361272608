import { isRecord } from '../../base/json';
import { listKinds } from '../../mcp/lists/listSpecs';
import { UserError } from '../../base/errors';
import { jsonText } from '../../base/text/jsonText';
import { lineEndOf, truncate } from '../../base/text/text';
import { inEnglish } from '../../base/translate';
import type { Json } from '../../mcp/protocol/types';
import type { SchemaCheck } from '../../mcp/schema/jsonSchema';
import { problemsText, uncheckedText } from '../../mcp/schema/words';
import {
  type Expectation,
  type TextExpectation,
  isSnapshotPath,
  snapshotRule,
} from '../format/calls';
import {
  type ComparedValues,
  type StepAnswered,
  textOfResult,
  valueOfResult,
  type Difference,
  type MatchPattern,
  comparable,
  compareJson,
  maxDifferences,
} from './answer';

/** One way in which an answer is not as expected. */
export interface Failure {
  /** A sentence. */
  readonly message: string;
  /** The texts to compare, if there are two. */
  readonly expected?: string;
  readonly actual?: string;
  /** True if what was expected is a part or a pattern of the text, so that their difference says nothing. */
  readonly isPart?: true;
}

/** The largest snapshot that is read, in bytes. */
export const maxSnapshotBytes = 20_000_000;

/** Reads and writes snapshots by their paths relative to the file of calls; `undefined` if there is none. */
export interface Snapshots {
  readonly read: (path: string) => Promise<string | undefined>;
  readonly write: (path: string, text: string) => Promise<void>;
}

/** What {@link judge} needs. */
export interface JudgeTools {
  readonly schemas: SchemaCheck;
  readonly snapshots: Snapshots;
  /** True if snapshots that differ or do not exist are written. */
  readonly update: boolean;
  /** Ends it, with what it is aborted for, before the next path or pattern. */
  readonly signal?: AbortSignal;
}

/**
 * Returns the first two values at a JSON path; rejects with a `UserError` if that is none, or was not looked up: paths
 * are as untrusted as the file, and their filters run patterns.
 */
export async function valuesAt(
  value: unknown,
  path: string,
  { schemas, signal }: Pick<JudgeTools, 'schemas' | 'signal'>,
): Promise<readonly Json[]> {
  signal?.throwIfAborted();
  const found = await schemas.find(value, path);
  const shown = truncate(JSON.stringify(path), shownLength);
  switch (found.kind) {
    case 'found':
      return found.values;
    case 'noPath':
      throw new UserError(`${shown} is not a JSON path.`);
    case 'unchecked':
      throw new UserError(
        `The JSON path ${shown} was not looked up: ${uncheckedText(found.reason, inEnglish)}.`,
      );
  }
}

/** The longest value in a message, in UTF-16 units. */
const shownLength = 200;
/** The longest text beside a difference, in UTF-16 units. */
const longestText = 100_000;

/** The expectations that no protocol error can meet. */
const ofResult = ['json', 'result', 'paths', 'snapshot'] as const;

/** Returns in which ways an answer is not as expected, if any; rejects with a `UserError` for an invalid JSON path. */
export async function judge(
  answer: StepAnswered,
  expect: Expectation,
  tools: JudgeTools,
): Promise<readonly Failure[]> {
  const failures: Failure[] = [];
  const matches = patternMatcher(tools, failures);
  const compared = async (want: unknown, have: unknown, what: string, exact = false) => {
    const differences = await compareJson(want, have, { exact, matches });
    if (differences.length > 0)
      failures.push(differenceFailure(what, differences, { want, have, exact }));
  };
  if (expect.asked) await compared(expect.asked, answer.asked ?? [], 'list of questions');
  if (answer.kind === 'error') {
    failures.push(...(await judgeError(answer, expect, matches)));
    return failures;
  }
  const { result } = answer;
  if (expect.error)
    failures.push({ message: 'An error of the protocol was expected, but there is a result.' });
  const failed = (result as { readonly isError?: unknown } | null)?.isError === true;
  if (failed !== (expect.isError ?? false) && !expect.error) {
    const text = truncate(textOfResult(result), shownLength);
    failures.push({
      message: failed
        ? `The tool failed: ${text}`
        : 'The tool was expected to fail, but it did not.',
    });
  }
  if (expect.text) failures.push(...(await judgeText(expect.text, textOfResult(result), matches)));
  const value = valueOfResult(result);
  if (expect.json !== undefined) await compared(expect.json, value, 'value');
  if (expect.result !== undefined) await compared(expect.result, result, 'result');
  for (const [path, want] of Object.entries(expect.paths ?? {})) {
    const [have, more] = await valuesAt(value, path, tools);
    if (have === undefined)
      failures.push({
        message: `There is nothing at ${path}.`,
        expected: pretty(want),
        actual: pretty(value),
      });
    else if (more !== undefined)
      failures.push({ message: `There is more than one value at ${path}.` });
    else await compared(want, have, path, true);
  }
  if (expect.schema) failures.push(...(await judgeSchema(answer, tools.schemas)));
  if (expect.snapshot !== undefined) {
    const failure = await judgeSnapshot(expect.snapshot, result, tools, matches);
    if (failure) failures.push(failure);
  }
  return failures;
}

async function judgeError(
  { code, message }: Extract<StepAnswered, { kind: 'error' }>,
  { error, isError, text, ...rest }: Expectation,
  matches: MatchPattern,
): Promise<readonly Failure[]> {
  const shown = `${truncate(message, shownLength)}${code === undefined ? '' : ` (${code})`}`;
  if (!error) {
    const isOfResult = rest.schema === true || ofResult.some((name) => rest[name] !== undefined);
    // Servers may report a tool's failure in either way; expecting only `isError` accepts both.
    if (!isError || code === undefined || isOfResult)
      return [{ message: `The request failed: ${shown}` }];
    return text ? judgeText(text, message, matches) : [];
  }
  const failures: Failure[] = [];
  if (error.code !== undefined && error.code !== code)
    failures.push({
      message: `Another error was expected: ${shown}`,
      expected: String(error.code),
      actual: String(code ?? message),
    });
  if (error.contains !== undefined && !message.includes(error.contains))
    failures.push({
      message: 'The error says something else.',
      expected: error.contains,
      actual: message,
      isPart: true,
    });
  return failures;
}

async function judgeText(
  { equals, contains, matches }: TextExpectation,
  text: string,
  matchPattern: MatchPattern,
): Promise<readonly Failure[]> {
  const actual = truncate(text, longestText);
  const failures: Failure[] = [];
  if (equals !== undefined && equals !== text)
    failures.push({ message: 'The text is another.', expected: equals, actual });
  if (contains !== undefined && !text.includes(contains))
    failures.push({
      message: `The text does not contain ${JSON.stringify(truncate(contains, shownLength))}.`,
      expected: contains,
      actual,
      isPart: true,
    });
  if (matches !== undefined && !(await matchPattern(matches, text)))
    failures.push({
      message: `The text does not match ${truncate(matches, shownLength)}.`,
      expected: matches,
      actual,
      isPart: true,
    });
  return failures;
}

async function judgeSchema(
  { result, tool }: Extract<StepAnswered, { kind: 'result' }>,
  schemas: SchemaCheck,
): Promise<readonly Failure[]> {
  if (!tool?.outputSchema) return [{ message: 'The tool has no output schema.' }];
  const content = (result as { readonly structuredContent?: unknown }).structuredContent;
  if (content === undefined) return [{ message: 'The result has no structured content.' }];
  const validation = await schemas.check(tool.outputSchema, content);
  switch (validation.kind) {
    case 'valid':
      return [];
    case 'invalid':
      return [
        {
          message: `The structured content does not match the output schema: ${problemsText(validation.problems, inEnglish)}.`,
        },
      ];
    case 'unchecked':
      return [
        {
          message: `The structured content was not checked: ${uncheckedText(validation.reason, inEnglish)}.`,
        },
      ];
  }
}

async function judgeSnapshot(
  path: string,
  result: unknown,
  { snapshots, update }: JudgeTools,
  matches: MatchPattern,
): Promise<Failure | undefined> {
  // Variables in the path may have values from a server.
  if (!isSnapshotPath(path))
    return { message: `The snapshot ${truncate(path, shownLength)} ${snapshotRule}.` };
  const known = await snapshots.read(path);
  const differences =
    known === undefined
      ? undefined
      : await compareJson(parseOr(known), result, { exact: true, matches });
  if (differences?.length === 0) return undefined;
  if (update) {
    if (known !== undefined && !isResult(parseOr(known)))
      return {
        message: `The file ${truncate(path, shownLength)} holds something else than a result, and was not replaced: delete it to have the snapshot there.`,
      };
    const text = `${JSON.stringify(result, undefined, 2)}\n`;
    await snapshots.write(path, text.replaceAll('\n', lineEndOf(known ?? '')));
    return undefined;
  }
  if (differences)
    return differenceFailure(`snapshot ${path}`, differences, {
      want: parseOr(known ?? ''),
      have: result,
      exact: true,
    });
  return { message: `The snapshot ${path} does not exist yet: update it to write it.` };
}

/** The names that results have at their top, of whichever request. */
const resultNames: ReadonlySet<string> = new Set([
  'content',
  'structuredContent',
  'isError',
  'messages',
  'description',
  'contents',
  'ttlMs',
  'values',
  'total',
  'hasMore',
  '_meta',
  ...listKinds,
]);

/** True for what an earlier snapshot may be: its path may come from a server, and what else is there is not ours. */
function isResult(value: unknown): boolean {
  if (Array.isArray(value)) return true;
  return isRecord(value) && Object.keys(value).every((name) => resultNames.has(name));
}

function differenceFailure(
  what: string,
  differences: readonly Difference[],
  { want, have, exact }: ComparedValues,
): Failure {
  const [first] = differences;
  const place = first?.path ? ` at ${truncate(first.path, shownLength)}` : '';
  const more = differences.length > 1 ? `, and ${differences.length - 1} more differences` : '';
  const show = (value: unknown) =>
    value === undefined ? 'nothing' : truncate(jsonText(value), shownLength);
  return {
    message: `The ${what} differs${place}: expected ${show(first?.expected)}, got ${show(first?.actual)}${more}.`,
    expected: pretty(want),
    actual: pretty(comparable({ want, have, exact }, new Set(differences.map(({ path }) => path)))),
  };
}

/**
 * Returns a function that runs patterns in the schema checker, within its limits, as they are as untrusted as the file. A
 * pattern that was not checked adds a failure of its own and is no difference.
 */
export function patternMatcher({ schemas, signal }: JudgeTools, failures: Failure[]): MatchPattern {
  let unchecked = 0;
  return async (pattern, text) => {
    // The limit is that of the differences, because each pattern may have taken all of its time.
    if (unchecked >= maxDifferences) return true;
    signal?.throwIfAborted();
    const validation = await schemas.check({ type: 'string', pattern }, text);
    if (validation.kind !== 'unchecked') return validation.kind === 'valid';
    unchecked += 1;
    const shown = truncate(pattern, shownLength);
    const { reason } = validation;
    failures.push({
      message:
        reason === 'unusable'
          ? `${shown} is not a regular expression.`
          : `The pattern ${shown} was not checked: ${uncheckedText(reason, inEnglish)}.`,
    });
    return true;
  };
}

function pretty(value: unknown): string {
  return jsonText(value, 2, longestText);
}

function parseOr(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
