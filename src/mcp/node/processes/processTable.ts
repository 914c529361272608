import { execFile } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import type { System } from '../system';

/** A running process: its parent, the leader of its group, when it began (epoch ms, to the second) and its command line. */
export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  /** On Windows, which has no groups, the process itself. */
  readonly group: number;
  readonly startedAt: number;
  readonly command: string;
}

/** Linux counts in this unit towards programs, whatever its clock does inside. */
const tickMs = 10;

/** The output of a program; nothing when it fails or is not there. */
export type RunProgram = (command: string, args: readonly string[]) => Promise<string | undefined>;

/** All processes that run; nothing when it cannot be told. What has ended but was not collected yet is left out. */
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

/** The processes below these in the tree of who started whom. */
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
  const booted = Number(/^btime (\d+)$/m.exec(readFileSync('/proc/stat', 'utf8'))?.[1]) * 1000;
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      // The name in parentheses may hold anything.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const [state, parent, group] = fields;
      if (state === 'Z' || state === 'X') return [];
      return {
        pid: Number(name),
        parent: Number(parent),
        group: Number(group),
        startedAt: booted + Number(fields[19]) * tickMs,
        command: readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim(),
      };
    } catch {
      // It ended between the two looks.
      return [];
    }
  });
}

const processLine = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/;

async function readPosix(run: RunProgram): Promise<readonly ProcessEntry[] | undefined> {
  const table = await run('ps', ['-A', '-ww', '-o', 'pid=,ppid=,pgid=,stat=,lstart=,args=']);
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
  const json = await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]);
  if (json === undefined) return undefined;
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
    const env = { ...process.env, LC_ALL: 'C' };
    const options = { env, windowsHide: true, timeout: 10_000, maxBuffer: 64_000_000 };
    execFile(command, args, options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}
