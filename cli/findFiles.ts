import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { callsExtension } from '../src/calls/format/calls';

/** Folders of dependencies and of build output. */
const skipped = new Set(['node_modules', 'dist', 'out', 'build']);

/** Finds all files of saved calls below a folder, sorted by path. */
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
