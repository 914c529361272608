import { stat } from 'node:fs/promises';
import type { Confinement } from '../../serverConfig';
import { isPathInside } from '../files/insidePath';

/** What every confined process is taken away: others to signal or to look into, rights, and the machine's own folders. */
export const baseFlags: readonly string[] = [
  '--die-with-parent',
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--cap-drop',
  'ALL',
];

/** Mounts of its own in place of those of the machine; what belongs to others is not in them. */
export const baseMounts: readonly string[] = [
  '--dev',
  '/dev',
  '--proc',
  '/proc',
  '--tmpfs',
  '/tmp',
];

/** What answers there would do for a process what it may not do itself. */
const sockets = [
  '/run/user',
  '/run/docker.sock',
  '/run/containerd/containerd.sock',
  '/run/podman',
  '/run/dbus/system_bus_socket',
  '/run/systemd/private',
];

/** The arguments of bubblewrap that run a program confined. */
export async function bubblewrapArgs(
  { writable, readOnly, hidden, hasNetwork }: Confinement,
  command: string,
  args: readonly string[],
  cwd: string | undefined,
): Promise<readonly string[]> {
  const isAll = writable.includes('/');
  // The folder for temporary files is its own; a project that the command line names there is still found.
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

/** A folder becomes an empty one, a file an empty one, and what is not there needs nothing. */
async function hide(path: string): Promise<Taken> {
  const found = await stat(path).catch(() => undefined);
  if (!found || isPathInside(path, '/proc')) return { mounts: [], seals: [] };
  return found.isDirectory()
    ? { mounts: ['--tmpfs', path], seals: ['--remount-ro', path] }
    : { mounts: ['--ro-bind', '/dev/null', path], seals: [] };
}
