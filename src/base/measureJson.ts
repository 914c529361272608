/** Values that stand in one another more often than that are walked by no recursion, and shown to nobody. */
export const deepestShown = 1000;

/**
 * How many bytes a JSON value takes as text in UTF-8, and how many objects and lists stand in one another
 * at most. Works for any depth, where `JSON.stringify` throws.
 */
export function measureJson(value: unknown): { readonly bytes: number; readonly depth: number } {
  const encoder = new TextEncoder();
  const size = (part: unknown) => encoder.encode(JSON.stringify(part)).length;
  let bytes = 0;
  let deepest = 0;
  const open = [{ part: value, depth: 1 }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { part, depth } = next;
    if (typeof part !== 'object' || part === null) {
      if (part !== undefined) bytes += size(part);
      continue;
    }
    deepest = Math.max(deepest, depth);
    const isList = Array.isArray(part);
    const entries = Object.entries(part).filter(([, inner]) => isList || inner !== undefined);
    bytes += 2 + Math.max(0, entries.length - 1);
    for (const [name, inner] of entries) {
      if (!isList) bytes += size(name) + 1;
      open.push({ part: inner ?? null, depth: depth + 1 });
    }
  }
  return { bytes, depth: deepest };
}
