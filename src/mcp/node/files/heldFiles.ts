import { delay } from '../../../base/async';
import { thisSystem, type System } from '../system';
import { hasCode } from './hasCode';

/** How long a file that another program has open is tried again, in milliseconds. */
export const longestHoldMs = 2000;

const firstWaitMs = 10;

/** True for what Windows says of a file that another program has open, or that is about to be gone. */
export function isHeld(error: unknown, system: System = thisSystem()): boolean {
  return system === 'win32' && ['EPERM', 'EACCES', 'EBUSY'].some((code) => hasCode(error, code));
}

/**
 * Does something to a file, once more while Windows refuses it because another program has the file open: an editor that
 * reads it, a scanner for viruses, another window of ours. Rejects as `work` does when that takes too long.
 */
export async function whenFree<T>(work: () => Promise<T>, system?: System): Promise<T> {
  const deadline = Date.now() + longestHoldMs;
  for (let waitMs = firstWaitMs; ; waitMs *= 2) {
    try {
      return await work();
    } catch (error) {
      if (!isHeld(error, system) || Date.now() + waitMs > deadline) throw error;
      await delay(waitMs);
    }
  }
}
