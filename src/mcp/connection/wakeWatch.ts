import { toDisposable, type Disposable } from '../../base/disposable';

const intervalMs = 15_000;
const lateMs = 15_000;

/**
 * Calls `onWake` after the machine has slept, which it detects by a timer that fires much too late:
 * a connection may then be dead although nobody closed it.
 */
export function watchWake(onWake: () => void, now: () => number = Date.now): Disposable {
  let last = now();
  const timer = setInterval(() => {
    const late = now() - last - intervalMs;
    last = now();
    if (late > lateMs) onWake();
  }, intervalMs);
  return toDisposable(() => clearInterval(timer));
}
