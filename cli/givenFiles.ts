import { createReadStream } from 'node:fs';
import { appendFile, writeFile } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { UserError } from '../src/base/errors';
import { formatBytes } from '../src/base/text/text';
import { maxSnapshotBytes, type Snapshots } from '../src/calls/expect/judge';
import { isPathInside } from '../src/mcp/node/files/fileAccess';
import { appendBelow, workspaceFiles } from '../src/mcp/node/files/workspaceFiles';
import type { FileUri } from '../src/base/uri/fileAddress';

/** A file as the steps to it from a folder that it must not leave. */
interface Place {
  readonly folder: FileUri;
  readonly steps: readonly string[];
}

function placeIn(root: string, file: string): Place {
  return {
    folder: { scheme: 'file', authority: '', path: root, fsPath: root },
    steps: relative(root, file).split(sep),
  };
}

/** Returns functions that read and write the snapshots beside a file of calls. */
export function snapshotsBeside(calls: string): Snapshots {
  const beside = dirname(resolve(calls));
  const here = resolve('.');
  const root = isPathInside(here, beside) ? here : beside;
  // The working folder may hold more than the repository, such as the settings of its user.
  const placesOf = (path: string) => {
    const file = resolve(beside, path);
    return { wide: placeIn(root, file), near: placeIn(beside, file) };
  };
  return {
    async read(path) {
      const { wide, near } = placesOf(path);
      await workspaceFiles.read(wide.folder, wide.steps, maxSnapshotBytes);
      return workspaceFiles.read(near.folder, near.steps, maxSnapshotBytes);
    },
    async write(path, text) {
      const { wide, near } = placesOf(path);
      await workspaceFiles.check(wide.folder, wide.steps);
      await workspaceFiles.write(near.folder, near.steps, text);
    },
  };
}

/**
 * Reads a text file in UTF-8 that the caller of the command named, which may be a pipe, as of `<(…)`; rejects with a
 * `UserError` if it is larger than `maxBytes`.
 */
export async function readGiven(
  path: string,
  maxBytes: number,
  signal: AbortSignal,
): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  for await (const piece of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
    length += piece.length;
    if (length > maxBytes) throw new UserError(`${path} is larger than ${formatBytes(maxBytes)}.`);
    pieces.push(piece);
  }
  // Removes a byte order mark, which some editors write.
  return new TextDecoder().decode(Buffer.concat(pieces));
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
  const here = resolve('.');
  // A container often runs at the root, where everything is below.
  if (dirname(here) === here || !isPathInside(here, file))
    return how === 'append' ? appendFile(file, text) : writeFile(file, text);
  const { folder, steps } = placeIn(here, file);
  return how === 'append'
    ? appendBelow(folder, steps, text)
    : workspaceFiles.write(folder, steps, text);
}
