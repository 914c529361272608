import { lstat, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { isPathInside } from './insidePath';
import { realPath } from './realPath';

/**
 * Finds the first part of a path below `folder` that is a link out of it, or to nothing: what is written
 * there would end up elsewhere. `undefined` if there is none.
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
    // There are no links below a folder that does not exist yet.
    if (!found) return undefined;
    if (!found.isSymbolicLink()) continue;
    const target = await realpath(at).catch(() => undefined);
    if (target === undefined || !isPathInside(root, target)) return at;
    at = target;
  }
  return undefined;
}
