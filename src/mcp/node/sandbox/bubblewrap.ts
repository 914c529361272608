import { stat } from 'node:fs/promises';
import type { Confinement } from '../../serverConfig';
import { isPathInside } from '../files/insidePath';

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

/** The sockets of services that would do for a process what it may not do itself. */
const sockets = [
  '/run/user',
  '/run/docker.sock',
  '/run/containerd/containerd.sock',
  '/run/podman',
  '/run/dbus/system_bus_socket',
  '/run/systemd/private',
];

/** Returns the arguments with which bubblewrap runs a program confined. */
export async function bubblewrapArgs(
  { writable, readOnly, hidden, hasNetwork }: Confinement,
  command: string,
  args: readonly string[],
  cwd: string | undefined,
): Promise<readonly string[]> {
  const isAll = writable.includes('/');
  // The process gets its own folder for temporary files; a project there that the command line names is still found.
  const named = [cwd ?? '', command, ...args].flatMap(
    (one) => /^\/tmp\/(?!\.{1,2}(?:\/|$))[^/]+/.exec(one)?.[0] ?? [],
  );
  const taken = await Promise.all(
    [...sockets, ...hidden.toSorted((a, b) => a.length - b.length)].map(hide),
  );
  return [
    ...baseFlags,
    ...(hasNetwork ? [] : ['--unshare-net']),
    ...(isAll ? ['--bind', '/', '/'] : ['--ro-bind', '/', '/']),
    ...baseMounts,
    ...[...new Set(named)].flatMap((path) => ['--ro-bind-try', path, path]),
    ...writable.filter((path) => path !== '/').flatMap((path) => ['--bind-try', path, path]),
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
