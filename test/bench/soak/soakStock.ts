import { readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProcessCensus } from '../../support/processes/processCensus';

/** Unused sockets are closed within this many real milliseconds. */
const timeoutMs = 30_000;

/** The number of each kind of thing that a client can leave behind. */
export type Stock = ReadonlyMap<string, number>;

/** Counts the processes, open files, listeners, timers and other handles of this process. */
export async function takeStock(census: ProcessCensus): Promise<Stock> {
  const counts = new Map<string, number>();
  const count = (name: string, by = 1) => counts.set(name, (counts.get(name) ?? 0) + by);
  for (const name of process.getActiveResourcesInfo()) count(name);
  for (const name of process.eventNames())
    count(`listeners of process for ${String(name)}`, process.listenerCount(name));
  for (const command of await census.commands()) count(`process ${command}`);
  if (process.platform === 'linux') count('open files', readdirSync('/proc/self/fd').length);
  return counts;
}

/** Returns a sentence for each thing that there is more of than before, even after time to disappear. */
export async function grown(before: Stock, take: () => Promise<Stock>): Promise<readonly string[]> {
  for (let waited = 0; ; waited += 500) {
    const now = await take();
    const more = [...now].filter(([name, count]) => count > (before.get(name) ?? 0));
    if (more.length === 0 || waited >= timeoutMs)
      return more.map(
        ([name, count]) => `There are ${count} × ${name}, ${before.get(name) ?? 0} before.`,
      );
    await delay(500);
  }
}
