import assert from 'node:assert/strict';
import { settled } from './fakeClock';
import { descendants, listProcesses } from './processTree';

/** Sockets and pipes that were closed still take some turns of the event loop to go. */
const patienceMs = 3000;

/** Resources that Node keeps for itself once they were used. */
const ownResources = new Set(['CloseReq', 'FSReqPromise', 'FSReqCallback', 'TTYWrap']);

/**
 * Fails the enclosing suite when it leaves something behind: a child process, or a timer, socket,
 * pipe, watcher or the like that keeps this process alive, or a listener on this process.
 */
export function checkLeaks(): void {
  let earlier: ReadonlyMap<string, number> = new Map();
  before(async () => {
    earlier = await census();
  });
  after('leaves nothing behind', async () => {
    const deadline = Date.now() + patienceMs;
    let left = difference(await census(), earlier);
    while (left.length > 0 && Date.now() < deadline) {
      await settled();
      left = difference(await census(), earlier);
    }
    assert.deepEqual(left, [], 'The suite left something behind.');
  });
}

async function census(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const count = (name: string, by = 1) => counts.set(name, (counts.get(name) ?? 0) + by);
  for (const name of process.getActiveResourcesInfo()) if (!ownResources.has(name)) count(name);
  for (const name of process.eventNames())
    count(`listener of process for ${String(name)}`, process.listenerCount(name));
  for (const { command } of descendants(await listProcesses(), [process.pid]))
    count(`process ${command}`);
  return counts;
}

function difference(now: ReadonlyMap<string, number>, before: ReadonlyMap<string, number>) {
  return Array.from(now, ([name, count]) => ({ name, more: count - (before.get(name) ?? 0) }))
    .filter(({ more }) => more > 0)
    .map(({ name, more }) => `${more} × ${name}`);
}
