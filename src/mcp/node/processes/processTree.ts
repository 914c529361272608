import { execFile } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { delay } from '../../../base/async';
import { toolEnvironment } from '../commands/serverEnvironment';
import { type System, isAlive } from '../system';
import { type ProcessEntry, type RunProgram, descendants, readProcessTable } from './processTable';
import { programOfWindows } from './programStart';

/** The functions that end processes. */
interface Killers {
  /** Signals a process, or its group by the negative id; throws if there is none. */
  readonly kill: (target: number, signal: 'SIGTERM' | 'SIGKILL') => void;
  readonly run: (command: string, args: readonly string[]) => void;
}

const killers: Killers = {
  kill: (target, signal) => process.kill(target, signal),
  run: (command, args) =>
    execFile(command, args, { env: toolEnvironment(), windowsHide: true }, () => {}),
};

/**
 * Signals a process, its group, and its descendants that left the group. Windows has neither signals nor
 * groups: there, the process and all its descendants end immediately.
 */
export function signalTree(
  system: System,
  signal: 'SIGTERM' | 'SIGKILL',
  { leader, strays }: { readonly leader: number; readonly strays: readonly number[] },
  { kill, run }: Killers = killers,
): void {
  if (system === 'win32') {
    const targets = [leader, ...strays].flatMap((pid) => ['/PID', String(pid)]);
    return run(programOfWindows('taskkill'), ['/T', '/F', ...targets]);
  }
  for (const target of [-leader, ...strays]) {
    try {
      kill(target, signal);
    } catch {
      // It is already gone, as intended.
    }
  }
}

/** A process that has ended, and from when to when it ran, in milliseconds since the epoch. */
export interface EndedProcess {
  readonly pid: number;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** How much the times of the system may differ from those of our clock, in milliseconds. */
const clockMs = 50;

/** True for what an ended process started: Windows keeps its id as that of the parent, but may give it to another one. */
function isLeftBy({ pid, startedAt, endedAt }: EndedProcess, one: ProcessEntry): boolean {
  const { startedAt: at } = one;
  return one.parent === pid && at >= startedAt - clockMs && at <= endedAt + clockMs;
}

/**
 * Ends what servers left on Windows that ended by themselves: there, a tree can be ended only from a root that lives. One
 * look at all processes, which takes a second there, serves all servers that have ended meanwhile.
 */
export class LeftProcesses {
  private readonly run: Killers['run'];
  private readonly read: RunProgram | undefined;
  private ended: EndedProcess[] = [];
  private looking: Promise<void> | undefined;

  constructor(run: Killers['run'] = killers.run, read?: RunProgram) {
    this.run = run;
    this.read = read;
  }

  /** Takes a server that has ended; resolves when nothing is left of it, as far as can be told. */
  add(process: EndedProcess): Promise<void> {
    this.ended.push(process);
    return (this.looking ??= this.look());
  }

  private async look(): Promise<void> {
    try {
      while (this.ended.length > 0) {
        const ended = this.ended.splice(0);
        const table = (await readProcessTable('win32', this.read)) ?? [];
        const left = table.filter((one) => ended.some((process) => isLeftBy(process, one)));
        const [leader, ...strays] = left.map(({ pid }) => pid);
        if (leader !== undefined)
          signalTree('win32', 'SIGKILL', { leader, strays }, { ...killers, run: this.run });
      }
    } finally {
      this.looking = undefined;
    }
  }
}

const pollMs = 25;

/**
 * A process and everything that it started, which can be signaled together. On POSIX, it must have been
 * spawned `detached`, so that it leads its own process group.
 */
export class ProcessTree {
  private readonly pid: number;
  private readonly system: System;
  private exited = false;
  /** Its descendants that left its group. */
  private strays: readonly number[] = [];

  constructor(
    child: Pick<EventEmitter, 'once'> & { readonly pid: number },
    system: System,
    onEnded?: (process: EndedProcess) => void,
  ) {
    const startedAt = Date.now();
    this.pid = child.pid;
    this.system = system;
    child.once('exit', () => {
      this.exited = true;
      onEnded?.({ pid: this.pid, startedAt, endedAt: Date.now() });
    });
  }

  /** True while the process or, on POSIX, any process of its group may be alive. */
  get mayLive(): boolean {
    return this.system === 'win32' ? !this.exited : isAlive(-this.pid);
  }

  /** Finds descendants that left the group, which is only possible while their parents are alive. */
  async survey(): Promise<void> {
    if (this.system === 'win32') return;
    const below = descendants((await readProcessTable(this.system)) ?? [], [this.pid]);
    this.strays = below.filter(({ group }) => group !== this.pid).map(({ pid }) => pid);
  }

  /** Sends a signal to every process; on Windows, every signal ends them immediately. */
  signal(name: 'SIGTERM' | 'SIGKILL'): void {
    signalTree(this.system, name, { leader: this.pid, strays: this.strays });
  }

  /** Waits until no process of the tree is alive, at most `ms` milliseconds; true if none is. */
  async ended(ms: number, signal?: AbortSignal): Promise<boolean> {
    const deadline = Date.now() + ms;
    // There is no event for the exit of a grandchild: asking is the only way to know.
    while (await this.lives()) {
      if (Date.now() >= deadline || signal?.aborted) return false;
      await delay(pollMs);
    }
    return true;
  }

  private async lives(): Promise<boolean> {
    if (!this.mayLive && !this.strays.some(isAlive)) return false;
    if (!this.exited || this.system === 'win32') return true;
    // A process that has ended can be signaled until its parent notices. For an orphan, that is the
    // first process of the system, which in many containers never does.
    const table = await readProcessTable(this.system);
    return table?.some(({ pid, group }) => group === this.pid || this.strays.includes(pid)) ?? true;
  }
}
