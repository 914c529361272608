import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { whenFree } from './heldFiles';

/** The mode of files that only the user who wrote them can read. */
export const privateFile = { mode: 0o600 } as const;

/** The mode of such a file that can be run. */
export const privateProgram = { mode: 0o700 } as const;

/** Makes a folder, with its parents, that nobody else can look into; an existing one becomes private. */
export async function makePrivateFolder(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await chmod(folder, 0o700);
}

/** The longest that writing one file takes, in milliseconds; a killed process left any older file beside it. */
const longestWriteMs = 60_000;

/** Writes a private file in one step, replacing an existing one. */
export async function writePrivateFile(
  path: string,
  content: string | Uint8Array,
  options: typeof privateFile | typeof privateProgram = privateFile,
): Promise<void> {
  const beside = `${path}.${process.pid}.${randomUUID()}`;
  try {
    await writeFile(beside, content, options);
    await whenFree(() => rename(beside, path));
  } catch (error) {
    await rm(beside, { force: true }).catch(() => {});
    throw error;
  }
  await removeLeft(path);
}

/** Removes what killed processes left beside a file that they were writing. */
async function removeLeft(path: string): Promise<void> {
  const folder = dirname(path);
  const start = `${basename(path)}.`;
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.startsWith(start) || !/^\d+\.[\da-f-]{36}$/.test(name.slice(start.length))) continue;
    const left = join(folder, name);
    const { mtimeMs } = await stat(left).catch(() => ({ mtimeMs: Infinity }));
    if (Date.now() - mtimeMs > longestWriteMs) await rm(left, { force: true }).catch(() => {});
  }
}
