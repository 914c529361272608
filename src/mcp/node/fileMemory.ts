import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from '../../base/log';
import { createKeptMemory } from '../connection/memory/keptMemory';
import type { ServerMemory } from '../connection/memory/serverMemory';
import { makePrivateFolder, writePrivateFile } from './files/privateFiles';

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
