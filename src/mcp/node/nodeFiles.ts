import { lstat, readFile, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createOwnFolders, ownerNote } from '../ownFolders';
import type { PrivateFiles } from '../platform';
import { withFileLock } from './files/fileLock';
import {
  makePrivateFolder,
  privateFile,
  privateProgram,
  writePrivateFile,
} from './files/privateFiles';
import { whenFree } from './files/heldFiles';
import { findEscape } from './files/workspaceFiles';
import { readSmallFile } from './files/readSmallFile';
import { openJsonLines } from './jsonLines';
import type { Logger } from '../../base/log';
import { createKeptMemory } from '../lists/keptMemory';
import type { ServerMemory } from '../lists/serverMemory';

/** Creates a memory that keeps what was learned about servers in the files of a folder, each replaced in one step. */
export function createFileMemory(folder: string, log: Logger): ServerMemory {
  const path = (name: string) => join(folder, name);
  return createKeptMemory(
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

const maxNoteBytes = 10_000;

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
      readNote: (name) => readSmallFile(at(name, ownerNote), maxNoteBytes),
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
