import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { callsExtension } from '../src/calls/format/calls';

/** Folders that hold what others wrote, or what was built. */
const skipped = new Set(['node_modules', 'dist', 'out', 'build']);

/** All files of saved calls below a folder, in the order of their paths. */
export async function findFiles(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  const found = await Promise.all(
    entries.map(async (entry) => {
      const path = join(folder, entry.name);
      if (entry.isFile()) return entry.name.endsWith(callsExtension) ? [path] : [];
      const isSearched = entry.isDirectory() && !entry.name.startsWith('.');
      return isSearched && !skipped.has(entry.name) ? findFiles(path) : [];
    }),
  );
  return found.flat().toSorted();
}
