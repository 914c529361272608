import type { Confinement, StdioServerConfig } from '../../serverConfig';
import type { Environment } from '../../platform';
import { bubblewrapArgs } from './bubblewrap';
import { findGuarded } from './guarded';
import { seatbeltProfile } from './seatbelt';
import { constants } from 'node:fs';
import { access, readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { posix } from 'node:path';
import { isPathInside, realPath } from '../files/fileAccess';
import { isAgentSocket } from '../system';

/**
 * Where services listen that would do for a process what it may not do itself: they run containers and programs, use
 * keys, or speak for the user on the desktop.
 */
const ofMachine = [
  'user docker docker.sock cri-dockerd.sock dockershim.sock containerd podman crio buildkit k3s libvirt incus lxd',
  'dbus systemd/private systemd/io.systemd.Manager systemd/machine systemd/nspawn snapd.socket snapd-snap.socket',
  'pcscd pulse pipewire screen gssproxy.sock gssproxy.default.sock multipass_socket tailscale WSL',
].flatMap((names) => names.split(' ').flatMap((name) => [`/run/${name}`, `/var/run/${name}`]));

const elsewhere = [
  '/var/lib/lxd/unix.socket',
  '/var/snap/lxd/common/lxd',
  '/var/lib/incus/unix.socket',
  '/nix/var/nix/daemon-socket',
  '/var/guix/daemon-socket',
  '/var/lib/gssproxy/default.sock',
  '/var/snap/multipass/common',
  '/mnt/wslg',
  '/mnt/wsl/docker-desktop',
  '/mnt/wsl/rancher-desktop',
];

const belowHome = [
  '.docker/run',
  '.docker/desktop',
  '.colima',
  '.config/colima',
  '.lima',
  '.rd',
  '.orbstack/run',
  '.local/share/containers/podman',
  '.ssh/agent',
  '.1password',
  '.bitwarden-ssh-agent.sock',
  // What lets a process draw, type and look at the windows of an X server.
  '.Xauthority',
  '.var/app/com.bitwarden.desktop/data',
  'Library/Group Containers/2BUA8C4S2C.com.1password/t',
  'Library/Containers/com.docker.docker',
  'Library/Containers/com.maxgoedjen.Secretive.SecretAgent',
  ...'gpg-agent gpg-agent.extra gpg-agent.browser gpg-agent.ssh keyboxd scdaemon dirmngr'
    .split(' ')
    .map((name) => `.gnupg/S.${name}`),
];

/** Variables that name such a service. */
const serviceVariables = new Set(
  [
    'DOCKER_HOST CONTAINER_HOST CONTAINERD_ADDRESS CONTAINER_RUNTIME_ENDPOINT BUILDKIT_HOST LIBVIRT_DEFAULT_URI',
    'SSH_AUTH_SOCK SSH_AGENT_PID GPG_AGENT_INFO GNOME_KEYRING_CONTROL DBUS_SESSION_BUS_ADDRESS',
    'DBUS_SYSTEM_BUS_ADDRESS DISPLAY WAYLAND_DISPLAY WAYLAND_SOCKET XAUTHORITY XDG_RUNTIME_DIR PULSE_SERVER',
    'PULSE_RUNTIME_PATH PIPEWIRE_REMOTE PIPEWIRE_RUNTIME_DIR NIX_REMOTE LXD_SOCKET INCUS_SOCKET WSL_INTEROP',
    'TMUX STY NVIM NVIM_LISTEN_ADDRESS EMACS_SOCKET_NAME KITTY_LISTEN_ON WEZTERM_UNIX_SOCKET ZELLIJ_SOCKET_DIR',
    'I3SOCK SWAYSOCK NIRI_SOCKET HYPRLAND_INSTANCE_SIGNATURE SESSION_MANAGER ICEAUTHORITY AT_SPI_BUS_ADDRESS',
    'ALACRITTY_SOCKET WAYFIRE_SOCKET YDOTOOL_SOCKET',
    'VSCODE_IPC_HOOK VSCODE_IPC_HOOK_CLI VSCODE_GIT_IPC_HANDLE',
  ].flatMap((names) => names.split(' ')),
);

/** At most this many services are hidden from a process, those that are known first. */
export const maxHiddenServices = 300;

/** Returns the variables without those that name a service, unless the configuration itself sets them. */
export function withoutServices<V>(
  env: Readonly<Record<string, V>>,
  configured: Readonly<Record<string, unknown>>,
): Readonly<Record<string, V>> {
  return Object.fromEntries(
    Object.entries(env).filter(
      ([name]) => !serviceVariables.has(name) || Object.hasOwn(configured, name),
    ),
  );
}

/**
 * Finds what is hidden of the services of this machine: always those that are known, those that a variable of `own`
 * names, those of windows that agents use, whose secrets stand in files that the process can read, and each that listens
 * below the home folder or where keys are, but in what the process may write; from a process without the network each
 * that listens at a path.
 */
export async function findServices(
  { hasNetwork, writable }: Pick<Confinement, 'hasNetwork' | 'writable'>,
  own: Environment,
): Promise<readonly string[]> {
  const home = homeOf(own);
  // A variable may name a folder that holds more than sockets.
  const named = [...serviceVariables]
    .flatMap((name) => pathsIn(own[name] ?? ''))
    .filter((path) => ![home, ...writable].some((one) => isPathInside(path, one)));
  const known = [
    ...ofMachine,
    ...elsewhere,
    ...belowHome.map((name) => posix.join(home, name)),
    // Where podman's machine listens on macOS, in what the process may write.
    posix.join(own['TMPDIR'] || '/tmp', 'podman'),
  ];
  const ofUser = [home, own['GNUPGHOME'] || home];
  const isHidden = (path: string) =>
    !hasNetwork ||
    (ofUser.some((one) => isPathInside(one, path)) &&
      !writable.some((one) => isPathInside(one, path)));
  const open = await listening();
  const all = [...known, ...open.filter(isAgentSocket), ...named, ...open.filter(isHidden)];
  const real = [...new Set(await Promise.all(all.map(realPath)))];
  const there = await Promise.all(real.map(isThere));
  const found = real.filter((_, index) => there[index]);
  const outermost = found.filter(
    (path) => !found.some((other) => other !== path && isPathInside(other, path)),
  );
  return outermost.slice(0, maxHiddenServices);
}

function homeOf(own: Environment): string {
  return own['HOME'] || homedir();
}

/** Returns the paths that the value of a variable names, such as `unix:///run/x` or `unix:path=/run/y,guid=z`. */
function pathsIn(value: string): readonly string[] {
  return [...value.matchAll(/(?:^|[:=])(?:\/\/)?(\/[^,;:]+)/g)].map(([, path = '']) => path);
}

/** Returns the paths at which anything listens in this network namespace. */
async function listening(): Promise<readonly string[]> {
  const table = await readFile('/proc/net/unix', 'utf8').catch(() => '');
  return table.split('\n').flatMap((line) => /^(?:\S+ +){7}(\/.*)$/.exec(line)?.[1] ?? []);
}

/** True for what a process of this user could connect to; what it cannot reach, nothing can be mounted on either. */
async function isThere(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined);
  if (!found || isPathInside('/proc', path)) return false;
  if (found.isDirectory()) return true;
  return access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
}

/** The command that is started for a program, and the variables that it gets. */
export interface Started<V> {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, V>>;
  /** The paths that an empty folder takes while the program runs. */
  readonly keptFree?: readonly string[];
  /** True if there was too much to guard in what the program may write. */
  readonly isCut?: boolean;
}

/**
 * Returns the command to start for a program: the program itself, or the tool that confines it. `whole` is the
 * environment that the program gets, `own` the one that tells which services run here.
 */
export async function confinedCommand<V extends string | null | undefined>(
  command: string,
  { args, cwd, env: configured, confinement }: StdioServerConfig,
  whole: Readonly<Record<string, V>>,
  own: Environment,
): Promise<Started<V>> {
  if (!confinement) return { command, args, env: whole };
  const env = withoutServices(whole, configured);
  const settings = own['XDG_CONFIG_HOME'] || undefined;
  const guarded = await findGuarded(confinement, homeOf(own), settings);
  const services = await findServices(confinement, own);
  const surroundings = { guarded, services };
  const { isCut } = guarded;
  switch (confinement.tool) {
    case 'bwrap': {
      const names = Object.keys(env).filter((name) => decidesLoading.test(name));
      const others = Object.entries(env).filter(([name]) => !names.includes(name));
      const set = names.flatMap((name) => {
        const value = env[name];
        return typeof value === 'string' ? ['--setenv', name, value] : ['--unsetenv', name];
      });
      return {
        command: confinement.program,
        args: [...set, ...(await bubblewrapArgs(confinement, surroundings, command, args, cwd))],
        env: Object.fromEntries(others),
        keptFree: guarded.missing,
        isCut,
      };
    }
    case 'sandbox-exec':
      return {
        command: confinement.program,
        args: ['-p', seatbeltProfile(confinement, surroundings), command, ...args],
        env,
        isCut,
      };
  }
}

/** Variables whose values would affect what is loaded into the tool itself, before it confines anything. */
const decidesLoading = /^(?:LD_\w+|GCONV_PATH|GLIBC_TUNABLES|LOCPATH|MALLOC_\w+)$/;
