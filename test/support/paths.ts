import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

function findRoot(directory: string): string {
  if (existsSync(join(directory, 'package-lock.json'))) return directory;
  const parent = dirname(directory);
  if (parent === directory) throw new Error(`No repository above ${__dirname}`);
  return findRoot(parent);
}

/** The repository's root: also the folder of the extension under development. */
export const repositoryRoot = findRoot(__dirname);

/** The folder for everything that the tests download or leave behind; git-ignored. */
export const cacheDirectory = join(repositoryRoot, '.vscode-test');

/** Returns a path inside the build output of the tests. */
export function built(...segments: string[]): string {
  return join(repositoryRoot, 'out', ...segments);
}
