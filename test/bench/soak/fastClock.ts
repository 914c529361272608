/** How many times as fast the time of a soak passes. */
export const speed = 60;
/** Shorter waits are for the machine, which is no faster: in real milliseconds. */
const shortestMs = 1000;

function hurried(ms: number): number {
  return Math.min(ms, Math.max(ms / speed, shortestMs));
}

/**
 * From now on the clock and the timers of this process run faster, for all but
 * `node:timers`; returns the real time in milliseconds since then.
 */
export function hurryTime(): () => number {
  const { setTimeout: later, setInterval: again, Date: RealDate } = globalThis;
  const begin = RealDate.now();
  const passed = () => RealDate.now() - begin;
  const now = () => begin + passed() * speed;
  type Callback = (...args: readonly unknown[]) => void;
  const wait = (callback: Callback, ms = 0, ...args: readonly unknown[]) =>
    later(callback, hurried(ms), ...args);
  // The one interval of the client tells sleep by its lateness, so that it has to fit the clock.
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
