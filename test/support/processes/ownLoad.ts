// Measures what a process, such as the extension host, uses while something is done in it.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Returns a function that collects garbage, which Node offers only with a flag. */
function createCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

const collectGarbage = createCollector();

/** Returns the bytes of the heap that are in use after garbage collection. */
export async function usedHeap(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return process.memoryUsage().heapUsed;
}

interface ThreadClock {
  /** In microseconds; available since Node 24. */
  threadCpuUsage?(): { readonly user: number; readonly system: number };
}

/** Returns the CPU time of this thread in milliseconds, which other programs do not increase; 0 in older editors. */
export function threadMs(): number {
  const { user, system } = (process as ThreadClock).threadCpuUsage?.() ?? { user: 0, system: 0 };
  return (user + system) / 1000;
}

/** Returns the CPU time of this process in milliseconds, including its garbage collector's threads. */
export function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const rows = Array.from({ length: 20_000 }, (_, at) => `row ${at} of ${(at * 7919) % 20_000}`);

/** Does what windows mostly do: reads, searches and sorts texts. */
function fixedWork(): number {
  const read = JSON.parse(JSON.stringify(rows)) as string[];
  return read.map((row) => row.replaceAll(/\d+/gu, (digits) => `<${digits}>`)).toSorted().length;
}

/** The CPU time, in milliseconds, that the work takes on the machine that the bounds of the tests were set on. */
const fixedWorkMs = 12;

/** Allows for other programs on a shared machine: their effect on memory and caches varies between two measurements. */
const margin = 2;

/**
 * Returns how many times longer than its bound work may take: how much slower this machine is at present than the one
 * that the bounds were set on, with a margin.
 */
export function leeway(clock: () => number = processMs): number {
  let least = Infinity;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const begin = clock();
    fixedWork();
    least = Math.min(least, clock() - begin);
  }
  return margin * Math.max(1, least / fixedWorkMs);
}

/** Returns the longest turn of the event loop while `task` ran, in milliseconds of the clock. */
export async function longestTurn(
  task: () => Promise<unknown>,
  clock: () => number = threadMs,
): Promise<number> {
  let longest = 0;
  let isRunning = true;
  let begin = clock();
  const turn = () => {
    const now = clock();
    longest = Math.max(longest, now - begin);
    begin = now;
    if (isRunning) setImmediate(turn);
  };
  setImmediate(turn);
  await task();
  await new Promise((resolve) => setImmediate(resolve));
  isRunning = false;
  return longest;
}

const tickMs = 5;

/**
 * Returns the most CPU time, in milliseconds, that this process used between two ticks of a timer while `task` ran:
 * that is a turn of the event loop that delayed the timer, and excludes what other programs did.
 */
export async function longestStall(task: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let begin = processMs();
  const tick = () => {
    const now = processMs();
    longest = Math.max(longest, now - begin);
    begin = now;
  };
  const timer = setInterval(tick, tickMs);
  try {
    await task();
  } finally {
    clearInterval(timer);
  }
  tick();
  return longest;
}
