import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Returns a path with all links resolved, as far as it exists. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}
