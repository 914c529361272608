import { type Dirent, type Stats, constants } from 'node:fs';
import { access, open, readdir, readlink, realpath, stat, statfs } from 'node:fs/promises';
import { UserError } from '../../../base/errors';
import { formatBytes } from '../../../base/text/text';
import { shownPath } from '../../../base/uri/fileAddress';
import { type PlatformPath, basename, dirname, join, posix, win32 } from 'node:path';
import { hasCode, thisSystem } from '../system';
import { isLocked, whenFree } from './privateFiles';

/** True if an absolute path is a folder or lies below it; both are compared as they are written. */
export function isPathInside(
  folder: string,
  path: string,
  platform: PlatformPath = thisSystem() === 'win32' ? win32 : posix,
): boolean {
  const way = platform.relative(folder, path);
  return !/^\.\.(?:[\\/]|$)/.test(way) && !platform.isAbsolute(way);
}

/** Returns a path with all links resolved, as far as it exists. */
export async function realPath(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(await realPath(parent), basename(path));
  }
}

const maxLinks = 40;

/** Returns where an absolute path leads, though it may not exist, with every link on the way. */
export async function followed(
  path: string,
): Promise<{ readonly real: string; readonly links: string[] }> {
  const links: string[] = [];
  let rest = path.split('/').filter(Boolean);
  let at = '/';
  while (rest.length > 0) {
    const [first = '', ...others] = rest;
    const next = posix.join(at, first);
    const target = await readlink(next).catch(() => undefined);
    if (target === undefined || links.length === maxLinks) {
      at = next;
      rest = others;
      continue;
    }
    links.push(next);
    rest = [...target.split('/').filter(Boolean), ...others];
    if (target.startsWith('/')) at = '/';
  }
  return { real: at, links };
}

/** Returns the flags that open no link and wait for no pipe. */
export function unfollowed(): number {
  // Windows has neither, whatever the types say.
  const { O_NOFOLLOW, O_NONBLOCK }: Record<string, number | undefined> = constants;
  return (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0);
}

/** Opens a file to read it, as soon as no other program keeps it for itself; nobody is waited for who writes to a pipe. */
function openToRead(path: string) {
  const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  return whenFree(() => open(path, flags), thisSystem(), isLocked);
}

/** Reads a text file in UTF-8; rejects as {@link readSmallBytes} does. */
export async function readSmallFile(path: string, maxBytes: number): Promise<string> {
  // Removes a byte order mark, which some editors write.
  return new TextDecoder().decode(await readSmallBytes(path, maxBytes));
}

/** Who may decide what runs: this account, the administrator, and who has become that by `sudo`. */
function ownAccounts(): ReadonlySet<number> | undefined {
  const own = process.getuid?.();
  if (own === undefined) return undefined;
  const caller = own === 0 ? Number(process.env['SUDO_UID'] || 0) : own;
  return new Set([0, own, caller]);
}

/** File systems that have no modes of their own, as that of Windows in its Linux: 9p, FAT, exFAT, NTFS, FUSE. */
export const withoutModes: ReadonlySet<number> = new Set([
  0x01021997, 0x4d44, 0x2011bab0, 0x7366746e, 0x65735546,
]);

interface OwnFileOptions {
  readonly project?: string | undefined;
  readonly own?: ReadonlySet<number> | undefined;
}

/**
 * Reads a text file that decides what runs in a folder, and that nobody has named; `undefined` if there is none, or a
 * folder. Rejects as {@link readSmallBytes} does, and if another account has made the file or a folder that it is in, or
 * every account can write there. Windows has no owners to compare.
 * @param project is a folder that the user works in, if this one belongs to it: whoever owns that one decides, too, and
 * nothing is said against modes, which hosts of containers and of codespaces choose
 */
export async function readOwnFile(
  folder: string,
  path: string,
  maxBytes: number,
  { project, own = ownAccounts() }: OwnFileOptions = {},
): Promise<string | undefined> {
  const file = join(folder, path);
  let accounts = own;
  const refuseOthers = (at: string, { uid, mode }: Stats, hasModes: boolean) => {
    if (accounts && !accounts.has(uid))
      throw new UserError((t) => t('{0} belongs to another account of this machine.', at));
    if (accounts && hasModes && (mode & 0o002) !== 0)
      throw new UserError((t) => t('Every account of this machine can write to {0}.', at));
  };
  try {
    if ((await stat(file)).isDirectory()) return undefined;
    if (own && project !== undefined) accounts = new Set([...own, (await stat(project)).uid]);
    const hasModes = project === undefined && !withoutModes.has((await statfs(dirname(file))).type);
    const bytes = await readSmallBytes(file, maxBytes, (found) =>
      refuseOthers(file, found, hasModes),
    );
    for (const at of [folder, dirname(file)]) refuseOthers(at, await stat(at), hasModes);
    return new TextDecoder().decode(bytes);
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return undefined;
    throw error;
  }
}

/**
 * Reads a file; rejects if it is not a file but a device or a pipe, or is larger than `maxBytes`.
 * @param check throws for a file that must not be read; it is the very one that would be
 */
export async function readSmallBytes(
  path: string,
  maxBytes: number,
  check: (found: Stats) => void = () => {},
): Promise<Uint8Array<ArrayBuffer>> {
  const file = await openToRead(path);
  try {
    const found = await file.stat();
    const shown = shownPath({ fsPath: path });
    if (!found.isFile()) throw new UserError((t) => t('{0} is not a file.', shown));
    check(found);
    // Some files that have content claim to be empty, and a file may grow while it is read.
    const expected = found.size === 0 ? maxBytes : Math.min(found.size, maxBytes);
    const buffer = Buffer.alloc(expected + 1);
    const { bytesRead } = await file.read(buffer, 0, buffer.length, 0);
    if (bytesRead > maxBytes)
      throw new UserError((t) => t('{0} is larger than {1}.', shown, formatBytes(maxBytes)));
    return buffer.subarray(0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Reads the first bytes of a file, as text in UTF-8. */
export async function readStart(path: string, maxBytes: number): Promise<string> {
  const file = await openToRead(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes), 0, maxBytes, 0);
    return buffer.toString('utf8', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** Returns what is in a folder; `undefined` if it is none, or cannot be read. */
export function entriesOf(folder: string): Promise<readonly Dirent[] | undefined> {
  return readdir(folder, { withFileTypes: true }).catch(() => undefined);
}

/** True for a folder, and for a link to one. */
export async function isFolder(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isDirectory() === true;
}

/** True for a file, and for a link to one. */
export async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

/** True for what is there and can be used so. */
export function exists(path: string, mode = constants.F_OK): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
