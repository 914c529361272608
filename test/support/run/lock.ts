import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from '../processes/processTree';

const pollMs = 250;

/**
 * Creates the lock file; false if it exists. A link appears together with its content, so no one reads a half-written
 * owner.
 */
async function take(path: string): Promise<boolean> {
  const mine = `${path}.${randomUUID()}`;
  await writeFile(mine, String(process.pid));
  try {
    await link(mine, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return false;
  } finally {
    await rm(mine, { force: true });
  }
}

/** Runs `work` while no other process on this machine holds the lock file; the lock of a dead process is taken over. */
export async function withLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  while (!(await take(path))) {
    const owner = Number(await readFile(path, 'utf8').catch(() => Number.NaN));
    if (owner && !isAlive(owner)) await rm(path, { force: true });
    else await delay(pollMs);
  }
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}
