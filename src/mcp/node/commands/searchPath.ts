import { homedir } from 'node:os';
import { errorMessage } from '../../../base/errors';
import type { Logger } from '../../../base/log';
import { type System, thisSystem } from '../system';
import type { Environment } from '../../platform';
import { readdir } from 'node:fs/promises';
import { posix } from 'node:path';
import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { isFolder, isPathInside, realPath } from '../files/fileAccess';

/** Returns the value of a variable; on Windows, the case of its name does not matter. */
export function readVariable<V>(
  env: Readonly<Record<string, V>>,
  name: string,
  system: System,
): V | undefined {
  if (system !== 'win32') return env[name];
  return Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

/** Returns the folders of a search path, except those that depend on where a program is started. */
export function absoluteFolders(path: string | undefined, system: System): string[] {
  const isWindows = system === 'win32';
  return (path ?? '')
    .split(isWindows ? ';' : ':')
    .map((folder) => (isWindows ? folder.trim().replaceAll('"', '') : folder))
    .filter((folder) => (isWindows ? /^(?:[a-z]:[\\/]|\\\\)/i : /^\//).test(folder));
}

/** The longest output of a shell, in UTF-16 units: more is not a search path. */
const maxOutput = 1_000_000;

/** How long what a shell started has for its own end, in milliseconds. */
const graceMs = 1000;

/**
 * Returns variables without what would have a shell run something in folders that are not trusted: its search path has
 * only absolute folders elsewhere, and other variables that name something there are left out.
 */
async function variablesOutside(
  env: Environment,
  folders: readonly string[],
): Promise<Environment> {
  const roots = [...new Set([...folders, ...(await Promise.all(folders.map(realPath)))])];
  const isWithin = (path: string) => roots.some((root) => isPathInside(root, path, posix));
  const isInside = async (path: string) =>
    path.startsWith('/') && (isWithin(path) || isWithin(await realPath(path)));
  const outside: Record<string, string | undefined> = {};
  for (const [name, value = ''] of Object.entries(env)) {
    if (name === 'PATH') continue;
    const isNamed =
      roots.some((root) => value.includes(root)) ||
      (roots.length > 0 && (await Promise.all(value.split(':').map(isInside))).includes(true));
    // The profile is there, even where all of this folder is open.
    if (name === 'HOME' || !isNamed) outside[name] = value;
  }
  const path = absoluteFolders(env['PATH'], 'linux');
  const within = roots.length > 0 ? await Promise.all(path.map(isInside)) : [];
  const PATH = path.filter((_, index) => within[index] !== true).join(':');
  return { ...outside, PATH: PATH || '/usr/bin:/bin' };
}

/**
 * Reads the search path that the user's login shell sets up, profile files included: an editor started
 * from a dock or a menu has another. Nothing is looked up in the folder that the editor was started in, which may
 * be one that nobody trusts, nor in those that are `untrusted`. Rejects with an `Error` if the shell fails or takes longer
 * than `limitMs` milliseconds.
 */
export async function readShellPath(
  given: Environment,
  limitMs: number,
  untrusted: readonly string[] = [],
): Promise<string> {
  const env = await variablesOutside(given, untrusted);
  const own = env['SHELL'] ?? '';
  const shell = own.startsWith('/') ? own : '/bin/sh';
  // Profile files print greetings, so the path is printed between two marks; not every shell prints it as this one.
  const mark = randomUUID();
  const script = `echo ${mark}; /bin/sh -c 'echo "$PATH"'; echo ${mark}`;
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
    cwd: homedir(),
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

/** Where version managers and package tools put programs, below the home folder; `*` is the newest version. */
const belowHome = [
  '.volta/bin',
  '.asdf/shims',
  '.local/share/mise/shims',
  '.nvm/versions/node/*/bin',
  '.local/share/fnm/aliases/default/bin',
  'Library/Application Support/fnm/aliases/default/bin',
  '.nodenv/shims',
  '.pyenv/shims',
  '.local/bin',
  '.cargo/bin',
  '.bun/bin',
  '.deno/bin',
];

const ofMachine = ['/opt/homebrew/bin', '/home/linuxbrew/.linuxbrew/bin', '/usr/local/bin'];

/** Finds existing folders with programs of a user on macOS and Linux that can be known without a shell. */
export async function findToolFolders(home: string): Promise<string[]> {
  const candidates = [...belowHome.map((folder) => posix.join(home, folder)), ...ofMachine];
  const found = await Promise.all(candidates.map(resolveNewest));
  const existing = await Promise.all(
    found.map(async (folder) => (await isFolder(folder)) && folder),
  );
  return existing.filter((folder) => folder !== false);
}

async function resolveNewest(folder: string): Promise<string> {
  const [parent = folder, below] = folder.split('/*');
  if (below === undefined) return folder;
  const versions = await readdir(parent).catch(() => []);
  const newest = versions.toSorted((a, b) => a.localeCompare(b, 'en', { numeric: true })).at(-1);
  return posix.join(parent, newest ?? '*', below);
}

/** How long a login shell is waited for, in milliseconds. */
const shellMs = 10_000;

/** Returns the variables that servers inherit from, with the search path that a terminal would have. */
export type OwnEnvironment = () => Promise<Environment>;

/** Returns the paths of the open folders while they are not trusted, and none otherwise. */
export type UntrustedFolders = () => readonly string[];

/**
 * Makes an {@link OwnEnvironment}, which asks the login shell (macOS, Linux) once for its search path, and
 * adds what that lacks of our own and of the folders that tools are known to use.
 */
export function createOwnEnvironment(
  log: Logger,
  env: Environment = process.env,
  {
    home = homedir(),
    system = thisSystem(),
    untrusted = () => [],
  }: {
    readonly home?: string;
    readonly system?: System;
    readonly untrusted?: UntrustedFolders | undefined;
  } = {},
): OwnEnvironment {
  let known: Promise<Environment> | undefined;
  return () => (known ??= withSearchPath(log, env, { home, system, untrusted: untrusted() }));
}

async function withSearchPath(
  log: Logger,
  env: Environment,
  {
    home,
    system,
    untrusted,
  }: { readonly home: string; readonly system: System; readonly untrusted: readonly string[] },
): Promise<Environment> {
  // On Windows, the search path is the same no matter where a program is started.
  if (system === 'win32') return env;
  const shell = await readShellPath(env, shellMs, untrusted).catch((error: unknown) => {
    log.warn(
      `${errorMessage(error)} Servers are looked for in the editor's own search path and where tools usually are.`,
    );
    return '';
  });
  const own = env['PATH'] ?? '';
  const told = absoluteFolders(`${shell}:${own}`, system);
  const PATH = [...new Set([...told, ...(await findToolFolders(home))])].join(':');
  return { ...env, PATH };
}
