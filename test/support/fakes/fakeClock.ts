import { mock } from 'node:test';

/** A clock that stands still until a test moves it. */
export interface FakeClock {
  /** Moves the clock forward by `ms`, runs the timers that come due, and lets what they started settle. */
  tick(ms: number): Promise<void>;
}

/** Replaces the timers and the time for every test of the enclosing suite. */
export function useFakeClock(): FakeClock {
  beforeEach(() => mock.timers.enable({ apis: ['setTimeout', 'Date'], now: 1_000_000_000_000 }));
  afterEach(() => mock.timers.reset());
  return {
    async tick(ms) {
      await settled();
      mock.timers.tick(ms);
      await settled();
    },
  };
}

/** Resolves when every promise that can settle without a timer or I/O has done so. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
