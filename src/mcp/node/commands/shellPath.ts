import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import type { Environment } from '../../platform';

/** The longest output of a shell, in UTF-16 units: more is not a search path. */
const maxOutput = 1_000_000;

/** How long what a shell started has for its own end, in milliseconds. */
const graceMs = 1000;

/**
 * Reads the search path that the user's login shell sets up, profile files included: an editor started
 * from a dock or a menu has another. Rejects with an `Error` if the shell fails or takes longer than
 * `limitMs` milliseconds.
 */
export async function readShellPath(env: Environment, limitMs: number): Promise<string> {
  const shell = env['SHELL'] || '/bin/sh';
  // Profile files print greetings, so the path is printed between two marks.
  const mark = randomUUID();
  const script = `echo ${mark}; printenv PATH; echo ${mark}`;
  const output = await run(shell, ['-i', '-l', '-c', script], env, limitMs);
  const path = output.split(mark)[1]?.trim();
  if (!path) throw new Error(`The shell ${shell} did not tell its search path.`);
  return path;
}

async function run(
  shell: string,
  args: string[],
  env: Environment,
  limitMs: number,
): Promise<string> {
  // In its own group, without a terminal: what it starts ends with it, and it cannot ask anything.
  const child = spawn(shell, args, {
    env: { ...env, TERM: 'dumb' },
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise((resolve, reject) => {
      const fail = (what: string, options?: ErrorOptions) =>
        reject(new Error(`The shell ${shell} ${what}.`, options));
      timer = setTimeout(() => fail(`took longer than ${limitMs} ms to start`), limitMs);
      let output = '';
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        if (output.length > maxOutput) fail('prints without end');
      });
      child.once('error', (cause) => fail('could not be started', { cause }));
      // Children in the background may hold the pipe open, so its end is not waited for.
      child.once('exit', () => setImmediate(() => resolve(output)));
    });
  } finally {
    clearTimeout(timer);
    // Once, whatever ended the wait: what is asked to end a second time may not clean up.
    if (child.pid !== undefined) endGroup(child.pid);
    child.stdout.destroy();
  }
}

/** Ends a group of processes as a terminal does that is closed, and kills what does not heed it. */
function endGroup(group: number): void {
  // Profile files run programs that hold locks, such as pyenv: one that is killed leaves its lock behind, and
  // every terminal of the user waits for that from then on.
  if (signalGroup(group, 'SIGHUP'))
    setTimeout(() => signalGroup(group, 'SIGKILL'), graceMs).unref();
}

/** Sends a signal to a group of processes; false if none of it is alive any more. */
function signalGroup(group: number, signal: 'SIGHUP' | 'SIGKILL'): boolean {
  try {
    return process.kill(-group, signal);
  } catch {
    return false;
  }
}
