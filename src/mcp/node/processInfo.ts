import { execFile } from 'node:child_process';

/** A running process: when it began (epoch ms, to the second) and its command line. */
export interface ProcessInfo {
  readonly pid: number;
  /** The process that leads its group; on Windows, which has no groups, the process itself. */
  readonly group: number;
  readonly startedAt: number;
  readonly command: string;
}

/** The processes among `pids` that run, and the groups that they lead; nothing when it cannot be told. */
export function readProcesses(
  pids: readonly number[],
): Promise<readonly ProcessInfo[] | undefined> {
  if (pids.length === 0) return Promise.resolve([]);
  return process.platform === 'win32' ? readWindows(pids) : readPosix(pids);
}

const processLine = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/;

async function readPosix(pids: readonly number[]): Promise<readonly ProcessInfo[] | undefined> {
  const table = await run('ps', ['-A', '-ww', '-o', 'pid=,pgid=,stat=,lstart=,args=']);
  return table?.split('\n').flatMap((line) => {
    // A date has five words, such as "Sat Nov 21 13:07:02 2026"; the command line is what follows.
    const [, pid, group, state, date = '', command = ''] = processLine.exec(line) ?? [];
    // A zombie has ended already.
    if (state === undefined || state.startsWith('Z')) return [];
    const info = { pid: Number(pid), group: Number(group), startedAt: Date.parse(date), command };
    return pids.includes(info.pid) || pids.includes(info.group) ? [info] : [];
  });
}

async function readWindows(pids: readonly number[]): Promise<readonly ProcessInfo[] | undefined> {
  const filter = pids.map((pid) => `ProcessId=${pid}`).join(' or ');
  const fields =
    "ProcessId,CommandLine,@{n='At';e={([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds()}}";
  const script = `Get-CimInstance Win32_Process -Filter '${filter}' | Select-Object ${fields} | ConvertTo-Json -Compress`;
  const json = await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]);
  if (!json?.trim()) return json === undefined ? undefined : [];
  const rows = [JSON.parse(json)].flat() as {
    ProcessId: number;
    CommandLine: string | null;
    At: number;
  }[];
  return rows.map((row) => ({
    pid: row.ProcessId,
    group: row.ProcessId,
    startedAt: row.At,
    command: row.CommandLine ?? '',
  }));
}

/** The output of a program; nothing when it fails or is not there. */
function run(command: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    const env = { ...process.env, LC_ALL: 'C' };
    const options = { env, windowsHide: true, timeout: 10_000, maxBuffer: 64_000_000 };
    execFile(command, args, options, (error, stdout) => resolve(error ? undefined : stdout));
  });
}
