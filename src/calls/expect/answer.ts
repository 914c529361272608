import { isRecord } from '../../base/json';
import type {
  CallToolResult,
  GetPromptResult,
  ReadResourceResult,
  Tool,
} from '../../mcp/protocol/types';
import { embeddedResource, spokenText } from '../../mcp/protocol/content';

/** A question that a server asked while a step ran, as `asked` in `expect` compares it. */
export interface AskedQuestion {
  readonly method: string;
  readonly params: object;
}

/** What came back for a step, and what its server asked meanwhile, if that is known. */
export type StepAnswered = Came & { readonly asked?: readonly AskedQuestion[] };

type Came =
  | {
      readonly kind: 'result';
      /** The result as the server sent it; for a list, its entries. */
      readonly result: unknown;
      /** The tool that was called, as its server defines it. */
      readonly tool?: Tool | undefined;
    }
  /** An error; `code` is absent unless the server answered with a protocol error, `isDenied` if nothing was sent. */
  | {
      readonly kind: 'error';
      readonly code?: number;
      readonly message: string;
      readonly isDenied?: true;
    };

/** Returns the texts of a result, joined by line breaks. */
export function textOfResult(result: unknown): string {
  if (!isRecord(result)) return '';
  const { content, messages, contents } = result as Partial<
    CallToolResult & GetPromptResult & ReadResourceResult
  >;
  const blocks = content ?? messages?.map((message) => message.content) ?? [];
  const texts = blocks.flatMap((block) => spokenText(block) ?? embeddedResource(block)?.text ?? []);
  const documents = (contents ?? []).flatMap(({ text }) => (text === undefined ? [] : [text]));
  return [...texts, ...documents].join('\n');
}

/**
 * Returns the value that `json`, `paths`, and `save` look at: the structured content, else the text if it is
 * JSON, else the result.
 */
export function valueOfResult(result: unknown): unknown {
  if (!isRecord(result)) return result;
  if (result['structuredContent'] !== undefined) return result['structuredContent'];
  if (!('content' in result) && !('contents' in result)) return result;
  try {
    return JSON.parse(textOfResult(result)) as unknown;
  } catch {
    return result;
  }
}

/** A placeholder in an expected value for a value that is left open. */
type Matcher =
  | { readonly kind: 'type'; readonly type: string }
  | { readonly kind: 'pattern'; readonly pattern: string };

/** The types that `$type` knows. */
const matchedTypes = ['any', 'string', 'number', 'boolean', 'null', 'object', 'array'];

/** Reads a matcher such as `{"$type": "string"}` or `{"$matches": "^a"}`; `undefined` for any other expected value. */
export function readMatcher(expected: unknown): Matcher | undefined {
  if (!isRecord(expected)) return undefined;
  const entries = Object.entries(expected);
  const [entry] = entries;
  if (!entry || entries.length > 1) return undefined;
  const [name, value] = entry;
  if (name === '$type' && typeof value === 'string' && matchedTypes.includes(value))
    return { kind: 'type', type: value };
  if (name === '$matches' && typeof value === 'string') return { kind: 'pattern', pattern: value };
  return undefined;
}

/** Returns the type of a JSON value, as `$type` names it. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

/** One place where a value is not as expected. */
export interface Difference {
  /** The path to the place, such as `items[2].name`; empty for the whole value. */
  readonly path: string;
  /** Absent if nothing was expected there. */
  readonly expected?: unknown;
  /** Absent if there is nothing there. */
  readonly actual?: unknown;
}

/** Tests whether a text matches a regular expression, within a time limit. */
export type MatchPattern = (pattern: string, text: string) => Promise<boolean>;

/** At most this many differences of a value are reported. */
export const maxDifferences = 50;

/**
 * Returns where `actual` is not as `expected`. Objects may have more fields than expected unless `exact`;
 * lists must have the same length. Matchers in `expected` leave values open, as {@link readMatcher}
 * describes.
 */
export async function compareJson(
  expected: unknown,
  actual: unknown,
  { exact, matches }: { readonly exact: boolean; readonly matches: MatchPattern },
): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  const compare = async (want: unknown, have: unknown, path: string): Promise<void> => {
    if (found.length >= maxDifferences) return;
    const differs = () =>
      found.push({ path, expected: want, ...(have !== undefined && { actual: have }) });
    const matcher = readMatcher(want);
    if (matcher?.kind === 'type') {
      const fits = have !== undefined && (matcher.type === 'any' || typeOf(have) === matcher.type);
      if (!fits) differs();
    } else if (matcher) {
      if (typeof have !== 'string' || !(await matches(matcher.pattern, have))) differs();
    } else if (Array.isArray(want) && Array.isArray(have)) {
      if (want.length === have.length)
        for (const [index, part] of want.entries())
          await compare(part, have[index], `${path}[${index}]`);
      else differs();
    } else if (isRecord(want) && isRecord(have)) {
      for (const [key, part] of Object.entries(want))
        await compare(part, Object.hasOwn(have, key) ? have[key] : undefined, step(path, key));
      const extra = exact ? Object.keys(have).filter((key) => !Object.hasOwn(want, key)) : [];
      for (const key of extra) found.push({ path: step(path, key), actual: have[key] });
    } else if (want !== have) differs();
  };
  await compare(expected, actual, '');
  return found.slice(0, maxDifferences);
}

function step(path: string, key: string): string {
  if (!/^[\w$-]+$/.test(key)) return `${path}[${JSON.stringify(key)}]`;
  return path === '' ? key : `${path}.${key}`;
}

/** An expected value and the one to compare it with. */
export interface ComparedValues {
  readonly want: unknown;
  readonly have: unknown;
  readonly exact: boolean;
}

/** Returns an actual value as it compares with the expected one: in its order, without what that says nothing of. */
export function comparable(
  { want, have, exact }: ComparedValues,
  differing: ReadonlySet<string>,
  path = '',
): unknown {
  if (readMatcher(want)) return differing.has(path) ? have : want;
  if (Array.isArray(want) && Array.isArray(have))
    return want.length === have.length
      ? want.map((part: unknown, index) =>
          comparable(
            { want: part, have: have[index] as unknown, exact },
            differing,
            `${path}[${index}]`,
          ),
        )
      : have;
  if (!isRecord(want) || !isRecord(have)) return have;
  const shared = Object.keys(want).filter((key) => Object.hasOwn(have, key));
  const extra = exact ? Object.keys(have).filter((key) => !Object.hasOwn(want, key)) : [];
  return Object.fromEntries([
    ...shared.map((key) => [
      key,
      comparable({ want: want[key], have: have[key], exact }, differing, step(path, key)),
    ]),
    ...extra.map((key) => [key, have[key]]),
  ]);
}
