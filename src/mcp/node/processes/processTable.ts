import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { System } from '../system';
import { toolEnvironment } from '../commands/serverEnvironment';
import { programOfWindows } from './programStart';

/** A running process: its parent, the leader of its group, when it began and its command line. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** On Windows, which has no groups, the process itself. */
  readonly group: number;
  /** In milliseconds: on Linux since the boot, whatever the clock is set to; elsewhere since the epoch, to the second. */
  readonly startedAt: number;
  readonly command: string;
}

/** The unit in which Linux reports times to programs, in milliseconds, whatever it uses internally. */
const tickMs = 10;

/** Runs a program and resolves with its output; `undefined` if it fails or does not exist. */
export type RunProgram = (command: string, args: readonly string[]) => Promise<string | undefined>;

/** Reads all running processes, without those that have ended but were not collected yet; `undefined` if it cannot. */
export async function readProcessTable(
  system: System,
  run: RunProgram = runProgram,
): Promise<readonly ProcessEntry[] | undefined> {
  switch (system) {
    case 'linux':
      return readLinux();
    case 'win32':
      return readWindows(run);
    default:
      return readPosix(run);
  }
}

/** When a process began, and on Linux the boot from which this is counted. */
export interface ProcessStart {
  readonly startedAt: number;
  readonly boot?: string | undefined;
}

/** Returns when a process began, as the table reports it, if that was `ageMs` ago; `undefined` if it cannot be told. */
export function startOf(system: System, pid: number, ageMs = 0): ProcessStart | undefined {
  if (system !== 'linux') return { startedAt: Date.now() - ageMs };
  try {
    return { startedAt: readStat(pid).startedAt, boot: bootOf(system) };
  } catch {
    return undefined;
  }
}

/** Returns the id of the boot from which start times are counted; `undefined` if they are told by the clock. */
export function bootOf(system: System): string | undefined {
  return system === 'linux'
    ? readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    : undefined;
}

/** Returns all direct and indirect children of the processes in `roots`. */
export function descendants(
  table: readonly ProcessEntry[],
  roots: readonly number[],
): readonly ProcessEntry[] {
  const below = table.filter(({ pid, parent }) => roots.includes(parent) && !roots.includes(pid));
  if (below.length === 0) return [];
  return [
    ...below,
    ...descendants(
      table,
      below.map(({ pid }) => pid),
    ),
  ];
}

function readLinux(): readonly ProcessEntry[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const pid = Number(name);
      const { state, ...told } = readStat(pid);
      if (state === 'Z' || state === 'X') return [];
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      return { pid, ...told, command };
    } catch {
      // It ended before it was read.
      return [];
    }
  });
}

function readStat(pid: number) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name in parentheses may contain anything.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, parent, group] = fields;
  return {
    state,
    parent: Number(parent),
    group: Number(group),
    startedAt: Number(fields[19]) * tickMs,
  };
}

const processLine = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/;

async function readPosix(run: RunProgram): Promise<readonly ProcessEntry[] | undefined> {
  const table = await run('/bin/ps', ['-A', '-ww', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,args=']);
  return table?.split('\n').flatMap((line) => {
    // A date has five words, such as "Sat Nov 21 13:07:02 2026"; the command line is what follows.
    const [, pid, parent, group, state, date = '', command = ''] = processLine.exec(line) ?? [];
    if (state === undefined || state.startsWith('Z')) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      startedAt: Date.parse(date),
      command,
    };
  });
}

async function readWindows(run: RunProgram): Promise<readonly ProcessEntry[] | undefined> {
  const fields =
    "ProcessId,ParentProcessId,CommandLine,@{n='At';e={([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds()}}";
  const script = `Get-CimInstance Win32_Process | Where-Object CreationDate | Select-Object ${fields} | ConvertTo-Json -Compress`;
  const options = ['-NoProfile', '-NonInteractive', '-Command', script];
  const json = await run(programOfWindows('powerShell'), options);
  // It says nothing where a policy restricts what it may run.
  if (!json?.trim()) return undefined;
  const rows = [JSON.parse(json)].flat() as {
    readonly ProcessId: number;
    readonly ParentProcessId: number;
    readonly CommandLine: string | null;
    readonly At: number;
  }[];
  return rows.map((row) => ({
    pid: row.ProcessId,
    parent: row.ParentProcessId,
    group: row.ProcessId,
    startedAt: row.At,
    command: row.CommandLine ?? '',
  }));
}

function runProgram(command: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const options = {
      env: toolEnvironment(),
      windowsHide: true,
      timeout: 10_000,
      maxBuffer: 64_000_000,
    };
    execFile(command, args, options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}
