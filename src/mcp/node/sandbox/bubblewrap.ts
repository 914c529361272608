import { readdir, readlink, stat } from 'node:fs/promises';
import { dirname, join, posix } from 'node:path';
import type { Confinement } from '../../serverConfig';
import { isPathInside } from '../files/fileAccess';
import { isGuardedName } from './configurationFiles';
import type { GuardedPaths } from './guarded';

/** Flags that take other processes to signal or to look into, and all capabilities, away from every confined process. */
export const baseFlags: readonly string[] = [
  '--die-with-parent',
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--cap-drop',
  'ALL',
];

/** Private mounts in place of those of the machine, without anything that belongs to others. */
export const baseMounts: readonly string[] = [
  '--dev',
  '/dev',
  '--proc',
  '/proc',
  '--tmpfs',
  '/tmp',
];

/**
 * True for what bubblewrap says where it could not set up what it was told to, such as to hide a socket that has gone
 * meanwhile; a program that says the same is started once more.
 */
export function isOutdated(stderr: string): boolean {
  return /^bwrap: (?!execvp )/.test(stderr);
}

/** At most this many entries of folders that a guarded link lies in stay writable; the rest of them do not. */
export const maxOpenEntries = 500;

/** What of the machine is kept from a process beside what its configuration says. */
export interface Surroundings {
  readonly guarded: GuardedPaths;
  /** The services that it cannot see, by files and folders. */
  readonly services: readonly string[];
}

/** Returns the arguments with which bubblewrap runs a program confined. */
export async function bubblewrapArgs(
  { writable, readOnly, hidden, hasNetwork }: Confinement,
  { guarded, services }: Surroundings,
  command: string,
  args: readonly string[],
  cwd: string | undefined,
): Promise<readonly string[]> {
  const isAll = writable.includes('/');
  // The process gets its own folder for temporary files; a project there that the command line names is still found.
  const named = await linkedTo([cwd ?? '', command, ...args].flatMap(inTmp));
  // That of the machine is not there, so nothing of it has to be hidden.
  const seen = services.filter(
    (path) =>
      !isPathInside('/tmp', path) ||
      [...named.keys(), ...writable].some((one) => isPathInside(one, path)),
  );
  const taken = await Promise.all(
    [...seen, ...hidden.toSorted((a, b) => a.length - b.length)].map(hide),
  );
  return [
    ...baseFlags,
    ...(hasNetwork ? [] : ['--unshare-net']),
    ...(isAll ? ['--bind', '/', '/'] : ['--ro-bind', '/', '/']),
    ...baseMounts,
    ...[...named].flatMap(([path, link]) =>
      link === undefined ? ['--ro-bind-try', path, path] : ['--symlink', link, path],
    ),
    ...writable.filter((path) => path !== '/').flatMap((path) => ['--bind-try', path, path]),
    ...(await guardMounts(guarded)),
    ...readOnly.flatMap((path) => ['--ro-bind-try', path, path]),
    ...taken.flatMap(({ mounts }) => mounts),
    ...taken.flatMap(({ seals }) => seals),
    ...(cwd === undefined ? [] : ['--chdir', cwd]),
    '--setenv',
    'TMPDIR',
    '/tmp',
    '--',
    command,
    ...args,
  ];
}

/** Returns the entry of the folder for temporary files that a text names, if it is a path there. */
function inTmp(text: string): readonly string[] {
  return /^\/tmp\/(?!\.{1,2}(?:\/|$))[^/]+/.exec(text)?.slice(0, 1) ?? [];
}

/**
 * Returns entries of the folder for temporary files, with those there that they link to; a link is one in the sandbox,
 * too: what it leads to, mounted in its place, would be seen past all that is hidden.
 */
async function linkedTo(
  paths: readonly string[],
): Promise<ReadonlyMap<string, string | undefined>> {
  const found = new Map<string, string | undefined>();
  let next = paths;
  while (next.length > 0) {
    const fresh = [...new Set(next)].filter((path) => !found.has(path));
    const links = await Promise.all(fresh.map((path) => readlink(path).catch(() => undefined)));
    for (const [index, path] of fresh.entries()) found.set(path, links[index]);
    next = links.flatMap((link) => (link === undefined ? [] : inTmp(posix.resolve('/tmp', link))));
  }
  return found;
}

/**
 * Mounts what is guarded read-only and, since nothing that something is mounted on can be renamed or removed, each
 * folder on the way to it on itself. A name that is missing is taken by an empty folder.
 */
async function guardMounts({ whole, links, parents, missing }: GuardedPaths): Promise<string[]> {
  const modes = new Map<string, '--bind-try' | '--ro-bind-try'>();
  for (const path of parents) modes.set(path, '--bind-try');
  // Nothing can be mounted on a link, so nothing can be made or replaced where one is, but in what is there now.
  const sealed = new Set(links.map((link) => dirname(link)));
  const open = (await Promise.all([...sealed].map(openEntries))).flat();
  for (const path of open.slice(0, maxOpenEntries)) modes.set(path, '--bind-try');
  for (const path of [...sealed, ...whole]) modes.set(path, '--ro-bind-try');
  const mounts = [...modes].toSorted(([a], [b]) => depthOf(a) - depthOf(b));
  const free = missing.filter((path) => !sealed.has(dirname(path)));
  return [
    ...mounts.flatMap(([path, mode]) => [mode, path, path]),
    ...free.flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
  ];
}

async function openEntries(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  return entries
    .filter((entry) => !entry.isSymbolicLink() && !isGuardedName(entry.name))
    .map(({ name }) => join(folder, name));
}

function depthOf(path: string): number {
  return path.split('/').length;
}

interface Taken {
  readonly mounts: readonly string[];
  readonly seals: readonly string[];
}

/** Replaces a folder or a file with an empty one; a path that does not exist needs nothing. */
async function hide(path: string): Promise<Taken> {
  const found = await stat(path).catch(() => undefined);
  if (!found || isPathInside(path, '/proc')) return { mounts: [], seals: [] };
  return found.isDirectory()
    ? { mounts: ['--tmpfs', path], seals: ['--remount-ro', path] }
    : { mounts: ['--ro-bind', '/dev/null', path], seals: [] };
}
