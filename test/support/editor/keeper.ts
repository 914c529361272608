// A standalone program: `keeper.js <directories as JSON> <command> <args…>` runs the command until standard input ends,
// then ends every process that descended from it and deletes the directories. The input also ends when the parent is
// killed, so nothing outlives a test run.
import { spawn } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { execute } from '../run/execute';
import {
  descendants,
  hasVariable,
  KnownProcesses,
  listProcesses,
  type ProcessEntry,
} from '../processes/processTree';

const sampleMs = 2000;
const politeMs = 1000;
const graceMs = 3000;
const pollMs = process.platform === 'linux' ? 10 : 200;

const [directories = '[]', command = '', ...args] = process.argv.slice(2);
const mark = `MCP_WORKBENCH_KEEPER=${process.pid}-${Date.now()}`;
const child = spawn(command, args, {
  stdio: ['ignore', 'inherit', 'inherit'],
  windowsHide: true,
  env: { ...process.env, ...Object.fromEntries([mark.split('=')]) },
});

const known = new KnownProcesses((pid) => hasVariable(pid, mark));

async function sample(): Promise<ProcessEntry[]> {
  const all = await listProcesses({ hasCommands: false });
  const own = all.filter((entry) => known.isOurs(entry));
  const below = descendants(all, [process.pid, ...own.map(({ pid }) => pid)]);
  const ours = new Set([...own, ...below]);
  known.note(all, ours);
  return [...ours];
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has just ended by itself.
  }
}

async function untilEnded(limitMs: number): Promise<void> {
  const deadline = Date.now() + limitMs;
  while ((await sample()).length > 0 && Date.now() < deadline) await delay(pollMs);
}

async function end(): Promise<void> {
  clearInterval(timer);
  if (process.platform === 'win32') {
    await execute('taskkill', ['/PID', String(child.pid), '/T', '/F']);
  } else {
    // The editor first, so that extension hosts and servers can end by themselves; then those that did not notice.
    child.kill('SIGTERM');
    await untilEnded(politeMs);
    for (const { pid } of await sample()) signal(pid, 'SIGTERM');
    await untilEnded(graceMs - politeMs);
    for (let left = await sample(); left.length > 0; left = await sample()) {
      for (const { pid } of left) signal(pid, 'SIGKILL');
      await delay(pollMs);
    }
  }
  for (const directory of JSON.parse(directories) as string[]) {
    await rm(directory, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  }
  process.exit(0);
}

let ending: Promise<void> | undefined;
const endOnce = () => void (ending ??= end());
// Windows tells of its processes slowly, and ends a tree by itself.
const timer = process.platform === 'win32' ? undefined : setInterval(() => void sample(), sampleMs);

child.once('error', (error) => {
  process.stderr.write(`${error.message}\n`);
  endOnce();
});
child.once('exit', endOnce);
process.stdin.resume().once('end', endOnce).once('error', endOnce);
// A signal to the keeper itself is meant for the whole tree.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, endOnce);
