import { chmod, mkdir, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { delay } from '../../../base/async';
import { type System, thisSystem, hasCode } from '../system';

/** How long a file that another program has open is tried again, in milliseconds. */
export const longestHoldMs = 2000;

const firstWaitMs = 10;

/** True for what Windows says of a file that another program has open, or that is about to be gone. */
export function isHeld(error: unknown, system: System = thisSystem()): boolean {
  return system === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].some((code) => hasCode(error, code));
}

/** True for what Windows says when a file is read that another program keeps for itself alone. */
export function isLocked(error: unknown, system: System = thisSystem()): boolean {
  return system === 'win32' && hasCode(error, 'EBUSY');
}

/**
 * Does something to a file, once more while Windows refuses it because another program has the file open: an editor that
 * reads it, a scanner for viruses, another window of ours. Rejects as `work` does when that takes too long.
 */
export async function whenFree<T>(
  work: () => Promise<T>,
  system?: System,
  isWaitedFor = isHeld,
): Promise<T> {
  const deadline = Date.now() + longestHoldMs;
  for (let waitMs = firstWaitMs; ; waitMs *= 2) {
    try {
      return await work();
    } catch (error) {
      if (!isWaitedFor(error, system) || Date.now() + waitMs > deadline) throw error;
      await delay(waitMs);
    }
  }
}

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
