import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { name, version } from '../../package.json';
import { repositoryRoot } from '../../test/support/paths';

/** The file name of the extension's package. */
export const packageName = `${name}-${version}.vsix`;

/** Returns a name for the build under test: the package, debug or production, and a fingerprint of its code. */
export async function nameOfBuild(): Promise<string> {
  const folder = join(repositoryRoot, 'dist');
  const files = (await readdir(folder)).toSorted();
  const hash = createHash('sha256');
  for (const file of files) hash.update(await readFile(join(folder, file)));
  const kind = files.some((file) => file.endsWith('.map')) ? 'debug build' : 'production build';
  return `${packageName}, ${kind} ${hash.digest('hex').slice(0, 12)}`;
}
