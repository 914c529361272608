import { readdirSync, readFileSync } from 'node:fs';
import { readProcessTable } from '../../../src/mcp/node/processes/processTable';
import { execute } from '../run/execute';
import { wineVariable } from '../windows/inWine';
import { listWineProcesses } from '../windows/wineProcesses';

/** A running process; `started` distinguishes it from a later one with the same id. */
export interface ProcessEntry {
  pid: number;
  parent: number;
  started: string;
  command: string;
}

function readLinuxProcess(pid: number, hasCommand: boolean): ProcessEntry[] {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may itself contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state = '', parent] = fields;
    if (state === 'Z') return [];
    const words = hasCommand ? readFileSync(`/proc/${pid}/cmdline`, 'utf8') : '';
    const command = words.replaceAll('\0', ' ').trim();
    return [{ pid, parent: Number(parent), started: fields[19] ?? '', command }];
  } catch {
    return [];
  }
}

/**
 * True if a process with this id is running; on Linux, one that has ended but that nobody has waited for does not
 * count.
 */
export function isAlive(pid: number): boolean {
  if (process.platform === 'linux') return readLinuxProcess(pid, false).length > 0;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

/** Reads the lines of `ps -o pid=,ppid=,lstart=,args=`. */
export function parseProcessList(output: string): ProcessEntry[] {
  const line = /^\s*(\d+)\s+(\d+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/gm;
  return Array.from(output.matchAll(line), ([, pid, parent, started = '', command = '']) => ({
    pid: Number(pid),
    parent: Number(parent),
    started,
    command,
  }));
}

/**
 * Lists all processes of this machine; without their commands, it takes half of the time on Linux, for callers that list
 * them often.
 */
export async function listProcesses({ hasCommands = true } = {}): Promise<ProcessEntry[]> {
  if (process.platform === 'win32') return listWindows();
  if (process.platform === 'linux') {
    return readdirSync('/proc').flatMap((name) =>
      /^\d+$/.test(name) ? readLinuxProcess(Number(name), hasCommands) : [],
    );
  }
  return parseProcessList((await execute('ps', ['-axo', 'pid=,ppid=,lstart=,args='])).output);
}

async function listWindows(): Promise<ProcessEntry[]> {
  if (process.env[wineVariable]) return listWineProcesses().map((one) => ({ ...one, started: '' }));
  const table = (await readProcessTable('win32')) ?? [];
  // Without the program that tells of them.
  return table
    .filter(({ command }) => !command.includes('Get-CimInstance Win32_Process'))
    .map(({ startedAt, ...one }) => ({ ...one, started: String(startedAt) }));
}

/** True if a process was started with this `NAME=value` in its environment; always false except on Linux. */
export function hasVariable(pid: number, variable: string): boolean {
  if (process.platform !== 'linux') return false;
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(variable);
  } catch {
    return false;
  }
}

/** Returns the processes in `all` that descend from `roots`, without the roots themselves. */
export function descendants(all: readonly ProcessEntry[], roots: Iterable<number>): ProcessEntry[] {
  const children = new Map<number, ProcessEntry[]>();
  for (const entry of all) {
    const siblings = children.get(entry.parent);
    if (siblings) siblings.push(entry);
    else children.set(entry.parent, [entry]);
  }
  const found = new Map<number, ProcessEntry>();
  const queue = [...roots];
  for (let pid = queue.pop(); pid !== undefined; pid = queue.pop()) {
    for (const child of children.get(pid) ?? []) {
      if (found.has(child.pid)) continue;
      found.set(child.pid, child);
      queue.push(child.pid);
    }
  }
  return [...found.values()];
}

/** How often a process is asked whose it is: while it becomes another program, it has no environment. */
const looksAtNew = 6;

/** Every process seen so far, by id: one of ours stays so if its parent ends first and it no longer belongs to any tree. */
export class KnownProcesses {
  private readonly hasMark: (pid: number) => boolean;
  private readonly seen = new Map<number, { started: string; ours: boolean; looks: number }>();

  constructor(hasMark: (pid: number) => boolean) {
    this.hasMark = hasMark;
  }

  isOurs({ pid, started }: ProcessEntry): boolean {
    const known = this.seen.get(pid);
    if (known?.started !== started) return this.hasMark(pid);
    return known.ours || (known.looks < looksAtNew && this.hasMark(pid));
  }

  /** Notes which of the processes that run now are ours. */
  note(all: readonly ProcessEntry[], ours: ReadonlySet<ProcessEntry>): void {
    for (const entry of all) {
      const { pid, started } = entry;
      const known = this.seen.get(pid);
      const looks = known?.started === started ? known.looks + 1 : 1;
      this.seen.set(pid, { started, ours: ours.has(entry), looks });
    }
  }
}
