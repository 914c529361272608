import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isPathInside } from './insidePath';
import { realPath } from './realPath';

/**
 * The first part of a path below `folder` that is a link out of it, or to nothing: what is written there
 * would come to lie elsewhere. Undefined when there is none.
 */
export async function findEscape(
  folder: string,
  segments: readonly string[],
): Promise<string | undefined> {
  const root = await realPath(folder);
  let at = root;
  for (const segment of segments) {
    at = join(at, segment);
    const found = await lstat(at).catch(() => undefined);
    // Below what is not there yet, no link is.
    if (!found) return undefined;
    if (!found.isSymbolicLink()) continue;
    const target = await realpath(at).catch(() => undefined);
    if (target === undefined || !isPathInside(root, target)) return at;
    at = target;
  }
  return undefined;
}
