import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

/** One line of the result: `ratio` is relative to what the name says or, if there is a `unit`, a plain value in it. */
export interface Row {
  readonly name: string;
  readonly ratio: number;
  readonly goal: number;
  readonly unit?: string;
  /** What else was measured in the same run, for comparison. */
  readonly others: Readonly<Record<string, number>>;
}

/** Returns the median of some numbers. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}

/** Returns the milliseconds that `task` takes. */
export async function timed(task: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await task();
  return performance.now() - start;
}

/**
 * Runs each contender `rounds` times, taking turns, and returns each one's median in milliseconds and the median of
 * its ratios to `base` in the same round.
 */
export async function compare<K extends string>(
  contenders: Readonly<Record<K, () => Promise<number>>>,
  base: NoInfer<K>,
  rounds: number,
): Promise<{ readonly ms: Record<K, number>; readonly ratio: Record<K, number> }> {
  const names = Object.keys(contenders) as K[];
  const times = Object.fromEntries(names.map((name) => [name, [] as number[]])) as Record<
    K,
    number[]
  >;
  for (let turn = 0; turn <= rounds; turn += 1) {
    // The order is reversed in every other round.
    for (const name of turn % 2 === 0 ? names : names.toReversed()) {
      const ms = await contenders[name]();
      // The first round is only a warm-up.
      if (turn > 0) times[name].push(ms);
    }
  }
  const map = (value: (name: K) => number) =>
    Object.fromEntries(names.map((name) => [name, value(name)])) as Record<K, number>;
  return {
    ms: map((name) => median(times[name])),
    ratio: map((name) => median(times[name].map((ms, i) => ms / (times[base][i] ?? NaN)))),
  };
}

/** Returns the longest time in milliseconds for which the event loop was blocked while `task` ran. */
export async function longestStall(task: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await task();
  await new Promise((resolve) => setImmediate(resolve));
  delay.disable();
  return delay.max / 1e6;
}

/** Prints the rows as a table for people and as one JSON line each for programs. */
export function report(rows: readonly Row[]): void {
  const width = Math.max(...rows.map(({ name }) => name.length));
  for (const { name, ratio, goal, unit = '×', others } of rows) {
    const beside = Object.entries(others).map(([key, value]) => `${key} ${round(value)}`);
    const met = ratio <= goal ? 'met ' : 'MISS';
    console.log(
      `${name.padEnd(width)}  ${met}  ${round(ratio)} ${unit} (goal ${goal})  ${beside.join(', ')}`,
    );
  }
  for (const row of rows) console.log(JSON.stringify(row));
}

function round(value: number): number {
  return Number(value.toPrecision(3));
}
