import { jsonText } from './text/jsonText';
import { truncate } from './text/text';

const maxDepth = 100;
const maxNameLength = 200;
const cut = '…';
/** The most bytes of a list or an object that holds only `cut`. */
const frameBytes = 16;

/**
 * Copies a JSON value so that its text takes at most `maxBytes`: strings are cut to `maxString` UTF-16
 * units, and an ellipsis replaces whatever does not fit or is nested too deep.
 */
export function boundJson(
  value: unknown,
  { maxString, maxBytes }: { readonly maxString: number; readonly maxBytes: number },
): unknown {
  let left = maxBytes - size(cut);
  const take = (bytes: number) => (left -= bytes) >= 0;
  const copy = (part: unknown, depth: number): unknown => {
    if (typeof part === 'object' && part !== null)
      return depth < maxDepth && take(frameBytes) ? copyInside(part, depth + 1) : cut;
    const kept = typeof part === 'string' ? truncate(part, maxString) : part;
    return take(size(kept)) ? kept : cut;
  };
  const copyInside = (part: object, depth: number): unknown => {
    if (Array.isArray(part)) {
      const items: unknown[] = [];
      for (const item of part) {
        if (!take(1)) return [...items, cut];
        items.push(copy(item, depth));
      }
      return items;
    }
    const entries: [name: string, part: unknown][] = [];
    // Not `Object.entries`, which would create every entry even though only a few may fit.
    for (const name of Object.keys(part)) {
      const short = truncate(name, maxNameLength);
      if (!take(size(short) + 2)) return Object.fromEntries([...entries, [cut, cut]]);
      entries.push([short, copy(part[name as keyof typeof part], depth)]);
    }
    return Object.fromEntries(entries);
  };
  return copy(value, 0);
}

/** Returns a JSON value on one line, with an ellipsis in place of anything long. */
export function shortJson(value: unknown): string {
  return jsonText(boundJson(value, { maxString: 100, maxBytes: 1000 }));
}

/** Returns the most bytes that a value can take; counted rather than encoded, because there may be very many. */
function size(part: unknown): number {
  if (typeof part !== 'string') return String(part).length;
  let bytes = 2;
  for (let at = 0; at < part.length; at += 1) bytes += bytesOf(part.charCodeAt(at));
  return bytes;
}

function bytesOf(unit: number): number {
  if (unit < 0x20) return 6;
  if (unit < 0x80) return unit === 0x22 || unit === 0x5c ? 2 : 1;
  if (unit < 0x800) return 2;
  // Half of a surrogate pair is written as an escape if the other half is missing.
  return unit >= 0xd800 && unit < 0xe000 ? 6 : 3;
}
