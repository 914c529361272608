import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname } from 'node:path';
import { delay } from '../../../base/async';
import { asRecord } from '../../../base/json';
import type { LockNote } from '../../platform';
import { hasCode } from './hasCode';
import { makePrivateFolder, privateFile, writePrivateFile } from './privateFiles';

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
  const owner = JSON.stringify({ pid: process.pid, host: hostname() });
  for (;;) {
    try {
      await writeFile(path, owner, { ...privateFile, flag: 'wx' });
      break;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    if (await isLeft(path)) await takeAway(path);
    else await delay(retryMs);
  }
  const note = `${path}.note`;
  try {
    return await work({
      read: () => readFile(note, 'utf8').catch(() => ''),
      write: (text) => writePrivateFile(note, text),
    });
  } finally {
    await rm(path, { force: true });
  }
}

/** True for the lock of a process that can no longer release it. */
async function isLeft(path: string): Promise<boolean> {
  try {
    const { mtimeMs } = await stat(path);
    if (Math.abs(Date.now() - mtimeMs) > longestLockMs) return true;
    const { pid, host } = asRecord(JSON.parse(await readFile(path, 'utf8')));
    return host === hostname() && typeof pid === 'number' && !isAlive(pid);
  } catch {
    // Released in the meantime, or not completely written yet.
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Another user's process is alive, too.
    return hasCode(error, 'EPERM');
  }
}

/** Removes a lock in one step, so that only one of the waiting processes does it. */
async function takeAway(path: string): Promise<void> {
  const aside = `${path}.${crypto.randomUUID()}`;
  await rename(path, aside).catch(() => {});
  await rm(aside, { force: true });
}
