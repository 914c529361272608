import { execFile, type ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { delay } from '../../base/async';

const pollMs = 25;

/**
 * A process and all it started, as one thing that can be signalled. It must have been spawned
 * `detached` on POSIX, so that it leads a process group of its own.
 */
export class ProcessTree {
  private readonly pid: number;
  private exited = false;

  constructor(child: ChildProcess & { readonly pid: number }) {
    this.pid = child.pid;
    child.once('exit', () => {
      this.exited = true;
    });
  }

  /** True while the process or, on POSIX, any process of its group lives. */
  get alive(): boolean {
    if (process.platform === 'win32') return !this.exited;
    try {
      process.kill(-this.pid, 0);
      return !this.exited || !hasOnlyZombies(this.pid);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  }

  /** Sends a signal to every process; on Windows every signal ends them at once. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    if (process.platform === 'win32') {
      execFile('taskkill', ['/T', '/F', '/PID', String(this.pid)], { windowsHide: true }, () => {});
      return;
    }
    try {
      process.kill(-this.pid, name);
    } catch {
      // The group is gone already, which is what was wanted.
    }
  }

  /** Waits until nothing of the tree lives, `ms` milliseconds at most; true when it is so. */
  async ended(ms: number, signal?: AbortSignal): Promise<boolean> {
    const deadline = Date.now() + ms;
    // The exit of a grandchild is no event of ours: asking is the only way to know.
    while (this.alive && Date.now() < deadline) {
      if (signal?.aborted) break;
      await delay(pollMs);
    }
    return !this.alive;
  }
}

/**
 * True when all that is left of a process group has ended and only waits for its parent to notice.
 * For an orphan that is the first process of the system, and in many containers that never looks.
 */
function hasOnlyZombies(group: number): boolean {
  if (process.platform !== 'linux') return false;
  return readdirSync('/proc').every((name) => {
    try {
      const stat = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, 'utf8') : '';
      // The name in parentheses may hold anything; state, parent and group follow it.
      const [state, , itsGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      return Number(itsGroup) !== group || state === 'Z' || state === 'X';
    } catch {
      // It ended between the two looks.
      return true;
    }
  });
}
