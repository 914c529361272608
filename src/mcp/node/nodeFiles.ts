import {
  type FileHandle,
  lstat,
  open,
  readFile,
  readdir,
  rename,
  rm,
  stat,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createOwnFolders, ownerNote } from '../ownFolders';
import type { JsonLines, PrivateFiles } from '../platform';
import { withFileLock } from './files/fileLock';
import {
  makePrivateFolder,
  privateFile,
  privateProgram,
  whenFree,
  writePrivateFile,
} from './files/privateFiles';
import { findEscape } from './files/workspaceFiles';
import { readSmallFile } from './files/fileAccess';
import { hasCode } from './system';
import type { Logger } from '../../base/log';
import { createListMemory } from '../lists/listMemory';
import type { ServerMemory } from '../lists/catalog';
import { createLimiter } from '../../base/async';
import { parseEach } from '../../base/jsonParts';

const keptRotations = 4;

/** Opens the file at `path`, which need not exist; it is put aside once it has grown to `maxBytes`. */
export function openJsonLines(path: string, maxBytes: number): JsonLines {
  const oneAtATime = createLimiter(1);
  const rotated = (number: number) => (number === 0 ? path : `${path}.${number}`);
  const rotate = async () => {
    for (let number = keptRotations - 1; number >= 0; number -= 1)
      await whenFree(() => rename(rotated(number), rotated(number + 1))).catch(ignoreMissing);
  };
  let isPrivate = false;
  const openPrivately = async () => {
    if (!isPrivate) await makePrivateFolder(dirname(path));
    isPrivate = true;
    return whenFree(() => open(path, 'a+', privateFile.mode));
  };
  const appendLine = async (line: string) => {
    const file = await openPrivately();
    try {
      const { size, isCut } = await readEnd(file);
      if (size >= maxBytes) return false;
      // An unfinished line that a killed process left must not spoil this one.
      await file.appendFile(isCut ? `\n${line}` : line);
      await file.sync();
      return true;
    } finally {
      await file.close();
    }
  };
  return {
    append: (value) =>
      oneAtATime(async () => {
        const line = `${JSON.stringify(value)}\n`;
        try {
          while (!(await appendLine(line))) await rotate();
        } catch (error) {
          // Somebody may have deleted the folder: the next line makes it again.
          isPrivate = false;
          throw error;
        }
      }),
    async read() {
      const numbers = Array.from({ length: keptRotations + 1 }, (_, i) => keptRotations - i);
      const texts = await oneAtATime(() =>
        Promise.all(numbers.map((n) => readFile(rotated(n), 'utf8').catch(ignoreMissing))),
      );
      return parseEach(texts.flatMap((text) => (text ?? '').split('\n')).filter(Boolean));
    },
  };
}

/** Returns the size of a file, and whether its last line is unfinished. */
async function readEnd(
  file: FileHandle,
): Promise<{ readonly size: number; readonly isCut: boolean }> {
  const { size } = await file.stat();
  if (size === 0) return { size, isCut: false };
  const { buffer } = await file.read(Buffer.alloc(1), 0, 1, size - 1);
  return { size, isCut: buffer.toString() !== '\n' };
}

function ignoreMissing(error: unknown): undefined {
  if (hasCode(error, 'ENOENT')) return undefined;
  throw error;
}

/** Creates a memory that keeps what was learned about servers in the files of a folder, each replaced in one step. */
export function createFileMemory(folder: string, log: Logger): ServerMemory {
  const path = (name: string) => join(folder, name);
  return createListMemory(
    {
      read: (name) => readFile(path(name), 'utf8'),
      async write(name, text) {
        await makePrivateFolder(folder);
        await writePrivateFile(path(name), text);
      },
      names: () => readdir(folder),
      changedAt: async (name) => (await stat(path(name))).mtimeMs,
      remove: (name) => rm(path(name), { force: true }),
    },
    log,
  );
}

/** The files of this machine, where others may have accounts, too. */
export const nodeFiles: PrivateFiles = {
  makeFolder: ({ fsPath }) => makePrivateFolder(fsPath),
  write: ({ fsPath }, content, kind) =>
    writePrivateFile(fsPath, content, kind === 'program' ? privateProgram : privateFile),
  ownFolders({ fsPath }) {
    const at = (...path: string[]) => join(fsPath, ...path);
    return createOwnFolders({
      async kindOf(name) {
        const found = await lstat(at(name)).catch(() => undefined);
        return found && (found.isDirectory() ? 'folder' : 'other');
      },
      makeFolder: (name) => makePrivateFolder(at(name)),
      readNote: (name, maxBytes) => readSmallFile(at(name, ownerNote), maxBytes),
      writeNote: (name, text) => writePrivateFile(at(name, ownerNote), text),
      removeAll: (name) => whenFree(() => rm(at(name), { recursive: true })),
    });
  },
  openJsonLines: ({ fsPath }, maxBytes) => openJsonLines(fsPath, maxBytes),
  createMemory: ({ fsPath }, log) => createFileMemory(fsPath, log),
  exclusively: ({ fsPath }, work) => withFileLock(fsPath, work),
  findEscape: async ({ scheme, fsPath }, segments) =>
    scheme === 'file' ? findEscape(fsPath, segments) : undefined,
};
