import nativePath, { type PlatformPath } from 'node:path';

/** True if an absolute path is a folder or lies below it; both are compared as they are written. */
export function isPathInside(
  folder: string,
  path: string,
  platform: PlatformPath = nativePath,
): boolean {
  const way = platform.relative(folder, path);
  return !/^\.\.(?:[\\/]|$)/.test(way) && !platform.isAbsolute(way);
}
