import type { PrivateFiles } from '../platform';
import { createFileMemory } from './fileMemory';
import { withFileLock } from './files/fileLock';
import { findEscape } from './files/findEscape';
import {
  makePrivateFolder,
  privateFile,
  privateProgram,
  writePrivateFile,
} from './files/privateFiles';
import { openJsonLines } from './jsonLines';

/** The files of this machine, where others may have accounts, too. */
export const nodeFiles: PrivateFiles = {
  makeFolder: ({ fsPath }) => makePrivateFolder(fsPath),
  write: ({ fsPath }, content, kind) =>
    writePrivateFile(fsPath, content, kind === 'program' ? privateProgram : privateFile),
  openJsonLines: ({ fsPath }, maxBytes) => openJsonLines(fsPath, maxBytes),
  createMemory: ({ fsPath }, log) => createFileMemory(fsPath, log),
  exclusively: ({ fsPath }, work) => withFileLock(fsPath, work),
  findEscape: async ({ scheme, fsPath }, segments) =>
    scheme === 'file' ? findEscape(fsPath, segments) : undefined,
};
