import { type PlatformPath, posix, win32 } from 'node:path';
import { thisSystem } from '../system';

/** True if an absolute path is a folder or lies below it; both are compared as they are written. */
export function isPathInside(
  folder: string,
  path: string,
  platform: PlatformPath = thisSystem() === 'win32' ? win32 : posix,
): boolean {
  const way = platform.relative(folder, path);
  return !/^\.\.(?:[\\/]|$)/.test(way) && !platform.isAbsolute(way);
}
