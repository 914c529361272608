import { posix, win32 } from 'node:path';
import type { Programs } from '../../platform';
import { isPathInside } from './insidePath';

/** Creates the functions for paths as an operating system writes them. */
export function createPaths(
  system: NodeJS.Platform,
): Pick<Programs, 'separator' | 'resolve' | 'isAbsolute' | 'isInside'> {
  const path = system === 'win32' ? win32 : posix;
  return {
    separator: path.sep,
    resolve: (base, below) => path.resolve(base, below),
    isAbsolute: (text) => path.isAbsolute(text),
    isInside: (folder, text) => isPathInside(folder, text, path),
  };
}
