import type { ChildProcess } from 'node:child_process';
import { delay } from '../../../base/async';
import type { System } from '../system';
import { descendants, readProcessTable } from './processTable';
import { signalTree } from './signalTree';

const pollMs = 25;

/**
 * A process and all it started, as one thing that can be signalled. It must have been spawned
 * `detached` on POSIX, so that it leads a process group of its own.
 */
export class ProcessTree {
  private readonly pid: number;
  private readonly system: System;
  private exited = false;
  /** Those below it that left its group. */
  private strays: readonly number[] = [];

  constructor(child: ChildProcess & { readonly pid: number }, system: System) {
    this.pid = child.pid;
    this.system = system;
    child.once('exit', () => {
      this.exited = true;
    });
  }

  /** True while the process or, on POSIX, any process of its group may live. */
  get mayLive(): boolean {
    return this.system === 'win32' ? !this.exited : canSignal(-this.pid);
  }

  /** Looks for those that left the group: they can only be told while their parents live. */
  async survey(): Promise<void> {
    if (this.system === 'win32') return;
    const below = descendants((await readProcessTable(this.system)) ?? [], [this.pid]);
    this.strays = below.filter(({ group }) => group !== this.pid).map(({ pid }) => pid);
  }

  /** Sends a signal to every process; on Windows every signal ends them at once. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    signalTree(this.system, name, { leader: this.pid, strays: this.strays });
  }

  /** Waits until nothing of the tree lives, `ms` milliseconds at most; true when it is so. */
  async ended(ms: number, signal?: AbortSignal): Promise<boolean> {
    const deadline = Date.now() + ms;
    // The exit of a grandchild is none of our events: asking is the only way to know.
    while (await this.lives()) {
      if (Date.now() >= deadline || signal?.aborted) return false;
      await delay(pollMs);
    }
    return true;
  }

  private async lives(): Promise<boolean> {
    if (!this.mayLive && !this.strays.some(canSignal)) return false;
    if (!this.exited || this.system === 'win32') return true;
    // What has ended can be signalled until its parent notices. For an orphan that is the first
    // process of the system, and in many containers that never looks.
    const table = await readProcessTable(this.system);
    return table?.some(({ pid, group }) => group === this.pid || this.strays.includes(pid)) ?? true;
  }
}

function canSignal(target: number): boolean {
  try {
    process.kill(target, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
