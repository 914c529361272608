import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { errorMessage } from '../../base/errors';
import type { Logger } from '../../base/log';
import type { Remembered, ServerMemory } from '../connection/serverMemory';
import { fingerprint } from '../fingerprint';
import { makePrivateFolder, writePrivateFile } from './files/privateFiles';
import { listKinds } from '../lists/listSpecs';

/** Changes whenever the form of the files does: files of another version count as absent. */
const version = 1;
const maxFileBytes = 16_000_000;
const maxFiles = 200;

/**
 * A {@link ServerMemory} of one file a server, named by the fingerprint of its launch
 * configuration. Files are replaced in one step; one that is broken or too large counts as absent.
 */
export function createFileMemory(folder: string, log: Logger): ServerMemory {
  const path = async (key: object) => join(folder, `${await fingerprint(key)}.json`);
  let pruned: Promise<void> | undefined;

  return {
    async load(key) {
      try {
        return parse(await readFile(await path(key), 'utf8'));
      } catch {
        return undefined;
      }
    },

    async save(key, remembered) {
      try {
        const text = JSON.stringify({ version, ...remembered });
        if (text.length > maxFileBytes) return;
        const target = await path(key);
        await makePrivateFolder(folder);
        await writePrivateFile(target, text);
        pruned ??= prune(folder);
        await pruned;
      } catch (error) {
        log.warn(`The lists of a server could not be kept: ${errorMessage(error)}`);
      }
    },
  };
}

function parse(text: string): Remembered | undefined {
  const value = JSON.parse(text) as Partial<Remembered> & { readonly version?: unknown };
  const { snapshot, era, savedAt } = value;
  if (value.version !== version || typeof savedAt !== 'number') return undefined;
  if (era !== 'legacy' && era !== 'modern') return undefined;
  const whole = listKinds.every((kind) =>
    Array.isArray((snapshot as Record<string, unknown> | undefined)?.[kind]),
  );
  return snapshot && whole ? { snapshot, era, savedAt } : undefined;
}

/** Removes the files that were not written for the longest time, once a session. */
async function prune(folder: string): Promise<void> {
  const names = await readdir(folder);
  if (names.length <= maxFiles) return;
  const files = await Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      return { path, time: (await stat(path)).mtimeMs };
    }),
  );
  const oldest = files.toSorted((a, b) => a.time - b.time).slice(0, names.length - maxFiles);
  await Promise.all(oldest.map((file) => rm(file.path, { force: true })));
}
