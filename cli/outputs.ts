import { appendFile, writeFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { isPathInside } from '../src/mcp/node/files/insidePath';
import { appendBelow, workspaceFiles } from '../src/mcp/node/files/workspaceFiles';
import type { FileUri } from '../src/mcp/platform';

/** A file as the steps to it from a folder that it must not leave. */
interface Place {
  readonly folder: FileUri;
  readonly steps: readonly string[];
}

/** Returns where a file is: below the working folder, or else below `base`. */
export function placeOf(file: string, base: string): Place {
  const here = resolve('.');
  const root = isPathInside(here, file) ? here : base;
  return {
    folder: { scheme: 'file', authority: '', path: root, fsPath: root },
    steps: relative(root, file).split(sep),
  };
}

/**
 * Writes a report to a file that the caller of the command named. Below the working folder, it is refused where a link
 * leads elsewhere, as the folder may be a repository that others wrote; elsewhere, links are the caller's own.
 */
export async function writeOutput(
  path: string,
  text: string,
  how: 'replace' | 'append',
): Promise<void> {
  const file = resolve(path);
  if (!isPathInside(resolve('.'), file))
    return how === 'append' ? appendFile(file, text) : writeFile(file, text);
  const { folder, steps } = placeOf(file, '');
  return how === 'append'
    ? appendBelow(folder, steps, text)
    : workspaceFiles.write(folder, steps, text);
}
