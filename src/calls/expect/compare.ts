import { isRecord } from '../../base/json';
import { readMatcher, typeOf } from './matchers';

/** One place where a value is not as expected. */
export interface Difference {
  /** The way to the place, such as `items[2].name`; empty for the whole. */
  readonly path: string;
  /** Absent where nothing was expected there. */
  readonly expected?: unknown;
  /** Absent where there is nothing. */
  readonly actual?: unknown;
}

/** Says whether a text matches a regular expression, within bounds of time. */
export type MatchPattern = (pattern: string, text: string) => Promise<boolean>;

/** No value has more differences told. */
export const maxDifferences = 50;

/**
 * Where `actual` is not as `expected`. Objects may hold more than is expected unless `exact`; lists have
 * the same length. What is left open matches as {@link readMatcher} says.
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
