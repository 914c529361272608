import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { delay } from '../../../base/async';
import { asRecord } from '../../../base/json';
import type { LockNote } from '../../auth/tokens/renewInTurn';
import { isAlive, hasCode } from '../system';
import { makePrivateFolder, privateFile, whenFree, writePrivateFile } from './privateFiles';

/** The longest that a process keeps others waiting, in milliseconds; after that, it counts as gone. */
export const longestLockMs = 60_000;

const retryMs = 50;

/**
 * Runs `work` while no other process does the same for this path, and passes it the text that the previous holder
 * left beside the lock. A lock that is too old, or whose process has ended, is removed.
 */
export async function withFileLock<T>(
  path: string,
  work: (note: LockNote) => Promise<T>,
): Promise<T> {
  await makePrivateFolder(dirname(path));
  const owner = JSON.stringify({ pid: process.pid, host: hostname(), id: crypto.randomUUID() });
  while (!(await create(path, owner)))
    if (await isLeft(path)) await remove(path, () => isLeft(path));
    else await delay(retryMs);
  const note = `${path}.note`;
  try {
    return await work({
      read: () => readFile(note, 'utf8').catch(() => ''),
      write: (text) => writePrivateFile(note, text),
    });
  } finally {
    // Another process may have taken it from one that was too slow.
    await remove(path, async () => (await readFile(path, 'utf8').catch(() => '')) === owner);
  }
}

/** Creates a file; false if it exists. */
async function create(path: string, text: string): Promise<boolean> {
  try {
    await whenFree(() => writeFile(path, text, { ...privateFile, flag: 'wx' }));
    return true;
  } catch (error) {
    if (hasCode(error, 'EEXIST')) return false;
    throw error;
  }
}

/** True for the lock of a process that can no longer release it. */
async function isLeft(path: string): Promise<boolean> {
  try {
    if (await isOld(path)) return true;
    const { pid, host } = asRecord(JSON.parse(await readFile(path, 'utf8')));
    return host === hostname() && typeof pid === 'number' && !isAlive(pid);
  } catch {
    // Released in the meantime, or not completely written yet.
    return false;
  }
}

async function isOld(path: string): Promise<boolean> {
  const { mtimeMs } = await stat(path);
  return Math.abs(Date.now() - mtimeMs) > longestLockMs;
}

/** Removes a lock if it is meant, while no other process removes it: otherwise, it could become another in between. */
async function remove(path: string, isMeant: () => Promise<boolean>): Promise<void> {
  const removal = `${path}.removal`;
  while (!(await create(removal, '')))
    if (await isOld(removal).catch(() => false)) await rm(removal, { force: true });
    else await delay(retryMs);
  try {
    if (await isMeant()) await whenFree(() => rm(path, { force: true }));
  } finally {
    await whenFree(() => rm(removal, { force: true }));
  }
}
