/** How many times faster than real time the clock of a soak test runs. */
export const speed = 60;
/** Waits are not shortened below this many real milliseconds, because the machine itself is no faster. */
const shortestMs = 1000;

function hurried(ms: number): number {
  return Math.min(ms, Math.max(ms / speed, shortestMs));
}

/**
 * Speeds up the clock and the timers of this process from now on, except for `node:timers`; returns a function that
 * returns the real time since then, in milliseconds.
 */
export function hurryTime(): () => number {
  const { setTimeout: later, setInterval: again, Date: RealDate } = globalThis;
  const begin = RealDate.now();
  const passed = () => RealDate.now() - begin;
  const now = () => begin + passed() * speed;
  type Callback = (...args: readonly unknown[]) => void;
  const wait = (callback: Callback, ms = 0, ...args: readonly unknown[]) =>
    later(callback, hurried(ms), ...args);
  // The client's only interval detects sleep by how late it fires, so it has to match the clock.
  const repeat = (callback: Callback, ms = 0, ...args: readonly unknown[]) =>
    again(callback, ms / speed, ...args);
  globalThis.setTimeout = Object.assign(wait, later);
  globalThis.setInterval = Object.assign(repeat, again);
  globalThis.Date = class extends RealDate {
    constructor(...values: readonly [] | ConstructorParameters<DateConstructor>) {
      super(...((values.length > 0 ? values : [now()]) as [number]));
    }
    static override now(): number {
      return now();
    }
  } as DateConstructor;
  return passed;
}
