import { isRecord } from '../../base/json';
import { readMatcher, typeOf } from './matchers';

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
