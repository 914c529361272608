import { lstat, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createOwnFolders, ownerNote } from '../ownFolders';
import type { PrivateFiles } from '../platform';
import { createFileMemory } from './fileMemory';
import { withFileLock } from './files/fileLock';
import {
  makePrivateFolder,
  privateFile,
  privateProgram,
  writePrivateFile,
} from './files/privateFiles';
import { findEscape } from './files/workspaceFiles';
import { readSmallFile } from './files/readSmallFile';
import { openJsonLines } from './jsonLines';

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
      removeAll: (name) => rm(at(name), { recursive: true }),
    });
  },
  openJsonLines: ({ fsPath }, maxBytes) => openJsonLines(fsPath, maxBytes),
  createMemory: ({ fsPath }, log) => createFileMemory(fsPath, log),
  exclusively: ({ fsPath }, work) => withFileLock(fsPath, work),
  findEscape: async ({ scheme, fsPath }, segments) =>
    scheme === 'file' ? findEscape(fsPath, segments) : undefined,
};
