import { nextTurn } from '../../base/async';
import { CancelledError } from '../../base/errors';
import type { Resource } from '../../mcp/protocol/types';
import { matchResource } from '../tree/match';

/** An entry that can be searched, with the resource by which it is found. */
export interface Searchable {
  readonly resource: Resource;
}

// Long enough to make progress, short enough to go unnoticed.
const sliceMs = 8;

/**
 * Finds the best `limit` entries for what was typed, and counts all that match; works in slices, so that nothing else
 * waits for it. Rejects with a `CancelledError` once `signal` aborts.
 */
export async function searchResources<T extends Searchable>(
  entries: readonly T[],
  typed: string,
  limit: number,
  signal: AbortSignal,
): Promise<{ readonly best: readonly T[]; readonly count: number }> {
  if (typed.trim() === '') return { best: entries.slice(0, limit), count: entries.length };
  const found: { readonly entry: T; readonly score: number }[] = [];
  let sliceEnd = performance.now() + sliceMs;
  for (const entry of entries) {
    const score = matchResource(entry.resource, typed);
    if (score !== undefined) found.push({ entry, score });
    if (performance.now() < sliceEnd) continue;
    await nextTurn();
    if (signal.aborted) throw new CancelledError();
    sliceEnd = performance.now() + sliceMs;
  }
  const best = found
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit)
    .map(({ entry }) => entry);
  return { best, count: found.length };
}
