import { execFile } from 'node:child_process';

/** A running process: when it began (epoch ms, to the second) and its command line. */
export interface ProcessInfo {
  readonly pid: number;
  readonly startedAt: number;
  readonly command: string;
}

/** Looks up the processes among `pids` that run; none where the system's own tool is missing. */
export function readProcesses(pids: readonly number[]): Promise<readonly ProcessInfo[]> {
  if (pids.length === 0) return Promise.resolve([]);
  return process.platform === 'win32' ? readWindows(pids) : readPosix(pids);
}

async function readPosix(pids: readonly number[]): Promise<readonly ProcessInfo[]> {
  const table = await run('ps', ['-ww', '-o', 'pid=,lstart=,args=', '-p', pids.join(',')]);
  return table.split('\n').flatMap((line) => {
    // pid, then a date of five words such as "Sat Nov 21 13:07:02 2026", then the command line.
    const match = /^\s*(\d+)\s+(\w+\s+\w+\s+\d+\s+[\d:]+\s+\d+)\s+(.*)$/.exec(line);
    if (!match) return [];
    const [, pid = '', date = '', command = ''] = match;
    return [{ pid: Number(pid), startedAt: Date.parse(date), command }];
  });
}

async function readWindows(pids: readonly number[]): Promise<readonly ProcessInfo[]> {
  const filter = pids.map((pid) => `ProcessId=${pid}`).join(' or ');
  const fields =
    "ProcessId,CommandLine,@{n='At';e={([DateTimeOffset]$_.CreationDate).ToUnixTimeMilliseconds()}}";
  const script = `Get-CimInstance Win32_Process -Filter '${filter}' | Select-Object ${fields} | ConvertTo-Json -Compress`;
  const json = await run('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script]);
  if (json.trim() === '') return [];
  const rows = [JSON.parse(json)].flat() as {
    ProcessId: number;
    CommandLine: string | null;
    At: number;
  }[];
  return rows.map((row) => ({
    pid: row.ProcessId,
    startedAt: row.At,
    command: row.CommandLine ?? '',
  }));
}

/** The output of a program; empty when it fails or is not there. */
function run(command: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, LC_ALL: 'C' }, windowsHide: true, timeout: 10_000 };
    execFile(command, args, options, (_error, stdout) => resolve(stdout));
  });
}
