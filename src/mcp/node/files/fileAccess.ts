import { type Stats, constants } from 'node:fs';
import { open, realpath, stat, statfs } from 'node:fs/promises';
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

/**
 * Returns who may decide what runs: this account, the administrator, who has become that by `sudo`, and the owner of the
 * folder that somebody chose to work in, but not of one where every account can write. In a container, the account is
 * often `root` or one of the image, and the folder that of somebody outside.
 * @param own the user id of this account, `undefined` on Windows
 */
export async function decidingAccounts(
  workingFolder: string,
  own = process.getuid?.(),
  caller = process.env['SUDO_UID'],
): Promise<ReadonlySet<number> | undefined> {
  if (own === undefined) return undefined;
  const { uid, mode } = await stat(workingFolder);
  const isOpen = (mode & 0o002) !== 0 && !(await isWithoutModes(workingFolder));
  return new Set([0, own, own === 0 ? Number(caller || 0) : own, isOpen ? own : uid]);
}

/** File systems that have no modes of their own, as that of Windows in its Linux: 9p, FAT, exFAT, NTFS. */
const withoutModes: ReadonlySet<number> = new Set([0x01021997, 0x4d44, 0x2011bab0, 0x7366746e]);

async function isWithoutModes(folder: string): Promise<boolean> {
  return withoutModes.has((await statfs(folder)).type);
}

/**
 * Reads a text file that decides what runs in a folder, and that nobody has named; `undefined` if there is none. Rejects
 * as {@link readSmallBytes} does, and if another account has made the file or a folder that it is in, or every account
 * can write there. Windows has no owners to compare.
 * @param accounts those that may decide it, see {@link decidingAccounts}
 */
export async function readOwnFile(
  folder: string,
  path: string,
  maxBytes: number,
  accounts: ReadonlySet<number> | undefined,
): Promise<string | undefined> {
  const file = join(folder, path);
  const refuseOthers = (at: string, { uid, mode }: Stats, hasModes: boolean) => {
    if (accounts && !accounts.has(uid))
      throw new UserError((t) => t('{0} belongs to another account of this machine.', at));
    if (accounts && hasModes && (mode & 0o002) !== 0)
      throw new UserError((t) => t('Every account of this machine can write to {0}.', at));
  };
  try {
    const hasModes = !(await isWithoutModes(dirname(file)));
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
