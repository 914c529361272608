import type { Worker } from 'node:worker_threads';
import type { Disposable } from '../../../base/disposable';

/** How many times longer work may take by the clock of a busy machine than in the thread's own time. */
const slack = 4;

/** A worker that tells its time, as of Node 24.6; the types are of an older version. */
type TimedWorker = Worker & {
  readonly cpuUsage?: () => Promise<{ readonly user: number; readonly system: number }>;
};

/**
 * Calls `onOver` once a thread has worked for `ms` milliseconds of its own time, so that other programs do not
 * count; at the latest, and if that time is unknown, after four times as long by the clock.
 */
export function watchThreadTime(worker: TimedWorker, ms: number, onOver: () => void): Disposable {
  let ended = false;
  const over = () => {
    if (!ended) onOver();
  };
  const used = async () => {
    const { user = 0, system = 0 } = (await worker.cpuUsage?.()) ?? {};
    return (user + system) / 1000;
  };
  const before = used();
  let next: NodeJS.Timeout;
  const look = async () => {
    const left = ms - ((await used()) - (await before));
    if (left <= 0) over();
    else if (!ended) next = setTimeout(lookAgain, Math.max(left, 10));
  };
  // A thread that has just ended tells no time; the clock still counts.
  const lookAgain = () => void look().catch(() => undefined);
  before.catch(() => undefined);
  next = setTimeout(lookAgain, ms);
  const last = setTimeout(over, ms * slack);
  return {
    dispose: () => {
      ended = true;
      clearTimeout(next);
      clearTimeout(last);
    },
  };
}
