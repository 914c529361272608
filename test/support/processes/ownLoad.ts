// What a process, such as the extension host, takes while something is done in it.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Without a flag no process offers a collection by itself. */
function createCollector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}

const collectGarbage = createCollector();

/** The bytes of the heap that are in use once all that is loose was collected. */
export async function usedHeap(): Promise<number> {
  for (let round = 0; round < 4; round += 1) {
    collectGarbage();
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return process.memoryUsage().heapUsed;
}

interface ThreadClock {
  /** In microseconds; of Node 24. */
  threadCpuUsage?(): { readonly user: number; readonly system: number };
}

/** The milliseconds of the processor that this thread has had, which other programs do not lengthen; none in older editors. */
export function threadMs(): number {
  const { user, system } = (process as ThreadClock).threadCpuUsage?.() ?? { user: 0, system: 0 };
  return (user + system) / 1000;
}

/** The milliseconds of the processor that this process has had, its collector's threads among them. */
export function processMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

const rows = Array.from({ length: 20_000 }, (_, at) => `row ${at} of ${(at * 7919) % 20_000}`);

/** What windows mostly do: read, look through and order texts. */
function fixedWork(): number {
  const read = JSON.parse(JSON.stringify(rows)) as string[];
  return read.map((row) => row.replaceAll(/\d+/gu, (digits) => `<${digits}>`)).toSorted().length;
}

/** What the work takes on the machine that the bounds of the tests were set on. */
const fixedWorkMs = 12;

/** What others do to the memory and caches of a shared machine comes and goes between two measurements. */
const margin = 2;

/** How many times longer than its bound work may take: so much slower is this machine at present than the one that the bounds were set on, with a margin. */
export function leeway(clock: () => number = processMs): number {
  let least = Infinity;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const begin = clock();
    fixedWork();
    least = Math.min(least, clock() - begin);
  }
  return margin * Math.max(1, least / fixedWorkMs);
}

/** The longest turn of the event loop while `task` ran, in milliseconds of a clock. */
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

/** The most milliseconds of the processor that this process had between two ticks of a timer while `task` ran: a turn of the event loop that kept the timer waiting, and not what other programs did. */
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
