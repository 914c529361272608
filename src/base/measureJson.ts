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

/** The deepest nesting of values that recursive functions may walk and that users are shown. */
export const deepestShown = 1000;

/**
 * Measures how many bytes a JSON value takes as text in UTF-8, and how deep its objects and lists are
 * nested. Works for any depth, even if `JSON.stringify` throws.
 */
export function measureJson(value: unknown): { readonly bytes: number; readonly depth: number } {
  let bytes = 0;
  let deepest = 0;
  const open: { readonly part: object; readonly depth: number }[] = [];
  const add = (part: unknown, depth: number) => {
    if (typeof part === 'string') bytes += textBytes(part);
    else if (typeof part !== 'object' || part === null) bytes += JSON.stringify(part).length;
    else open.push({ part, depth });
  };
  if (value !== undefined) add(value, 1);
  for (let next = open.pop(); next; next = open.pop()) {
    const { part, depth } = next;
    deepest = Math.max(deepest, depth);
    let count = 0;
    // A message may have a million parts: neither branch creates an entry for each of them.
    if (Array.isArray(part)) {
      for (const inner of part as readonly unknown[]) add(inner ?? null, depth + 1);
      count = part.length;
    } else {
      const fields = part as Readonly<Record<string, unknown>>;
      for (const name of Object.keys(fields)) {
        const inner = fields[name];
        if (inner === undefined) continue;
        bytes += textBytes(name) + 1;
        add(inner, depth + 1);
        count += 1;
      }
    }
    bytes += 2 + Math.max(0, count - 1);
  }
  return { bytes, depth: deepest };
}

/** Text whose characters all take one byte and are not escaped in JSON. */
const single = /^[ !#-[\]-~]*$/;

/** A long text is measured in pieces of this many UTF-16 units, because most of them are simple. */
const pieceLength = 10_000;

/** A piece of at most this length is not worth testing first. */
const shortLength = 50;

/** Returns the bytes of a text in JSON, including its quotes; a text may be long, so it is not copied. */
function textBytes(text: string): number {
  let bytes = 2;
  for (let from = 0; from < text.length; from += pieceLength) {
    const to = Math.min(from + pieceLength, text.length);
    if (to - from > shortLength && single.test(text.slice(from, to))) bytes += to - from;
    else for (let at = from; at < to; at += 1) bytes += unitBytes(text, at);
  }
  return bytes;
}

/** Returns the bytes that one UTF-16 unit of a text adds in JSON. */
function unitBytes(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x20) return '\b\t\n\f\r'.includes(text.charAt(at)) ? 2 : 6;
  if (unit < 0x80) return unit === 0x22 || unit === 0x5c ? 2 : 1;
  if (unit < 0x800) return 2;
  if (unit < 0xd800 || unit > 0xdfff) return 3;
  const other = text.charCodeAt(unit < 0xdc00 ? at + 1 : at - 1);
  const isWhole = unit < 0xdc00 ? other >= 0xdc00 && other <= 0xdfff : (other & 0xfc00) === 0xd800;
  return isWhole ? 2 : 6;
}

/** Estimates how many tokens text of this length, in bytes or UTF-16 units, takes in most models. */
export function tokensIn(length: number): number {
  return Math.ceil(length / 4);
}

/** Returns the smallest value that this part of the sorted values does not exceed; `undefined` if there are none. */
export function percentile(sorted: readonly number[], part: number): number | undefined {
  return sorted[Math.max(Math.ceil(sorted.length * part) - 1, 0)];
}
