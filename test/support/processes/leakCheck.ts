import assert from 'node:assert/strict';
import { createHook, type AsyncHook } from 'node:async_hooks';
import { settled } from '../fakes/fakeClock';
import { descendants, listProcesses } from './processTree';

/** Closed sockets and pipes still take some turns of the event loop to disappear. */
const timeoutMs = 3000;
/** Where it takes seconds to list the processes, these are too few to have had any turns meanwhile. */
const fewestLooks = 5;

/** Resources that Node keeps once they were used, and timers, which are watched separately. */
const notCounted = new Set(['CloseReq', 'FSReqPromise', 'FSReqCallback', 'TTYWrap', 'Timeout']);

/**
 * Fails the enclosing suite if it leaves something behind: a child process, a listener on this process, or a timer,
 * socket, pipe, watcher or the like that keeps this process alive.
 */
export function checkLeaks(): void {
  const timers = new TimerWatch();
  let earlier: ReadonlyMap<string, number> = new Map();
  before(async () => {
    earlier = await census();
    timers.start();
  });
  after('leaves nothing behind', async () => {
    timers.stop();
    const deadline = Date.now() + timeoutMs;
    const look = async () => [...difference(await census(), earlier), ...timers.running()];
    let left = await look();
    for (let looks = 1; left.length > 0; looks += 1) {
      if (looks >= fewestLooks && Date.now() >= deadline) break;
      await settled();
      left = await look();
    }
    assert.deepEqual(left, [], 'The suite left something behind.');
  });
}

/** Tracks the timers that were started since it began to watch, and where. */
class TimerWatch {
  private readonly started = new Map<number, { readonly timer: NodeJS.Timeout; stack: string }>();
  private readonly hook: AsyncHook = createHook({
    init: (id, type, _trigger, resource) => {
      if (type !== 'Timeout') return;
      const stack = new Error(type).stack ?? '';
      this.started.set(id, { timer: resource as NodeJS.Timeout, stack });
    },
    destroy: (id) => {
      this.started.delete(id);
    },
  });

  start(): void {
    this.hook.enable();
  }

  stop(): void {
    this.hook.disable();
  }

  /** Describes the timers that still keep this process alive; a disabled hook is not told that one ended. */
  running(): readonly string[] {
    return [...this.started.values()].flatMap(({ timer, stack }) => {
      const { _destroyed } = timer as unknown as { readonly _destroyed: boolean };
      if (_destroyed || !timer.hasRef() || /[\\/]node_modules[\\/]mocha[\\/]/.test(stack))
        return [];
      const where = stack.split('\n').filter((line) => !line.includes('node:internal'));
      return [`timer started at\n${where.slice(2, 10).join('\n')}`];
    });
  }
}

async function census(): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  const count = (name: string, by = 1) => counts.set(name, (counts.get(name) ?? 0) + by);
  for (const name of process.getActiveResourcesInfo()) if (!notCounted.has(name)) count(name);
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
