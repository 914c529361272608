import { readdir, unlink } from 'node:fs/promises';
import { join, type PlatformPath } from 'node:path';
import { isRecord } from '../../../base/json';
import type { WindowFacts } from '../../serving/agentPort';
import { isPathInside, readSmallFile } from '../files/fileAccess';
import { makePrivateFolder, writePrivateFile } from '../files/privateFiles';

/** A window that listens for agents, as its file says. */
export interface ListeningWindow extends WindowFacts {
  /** The path of its socket or named pipe. */
  readonly socket: string;
  readonly pid: number;
}

/** A file of more bytes than this is not one of ours. */
const maxFileBytes = 100_000;
/** At most this many windows are looked at. */
const maxWindows = 200;

const folderOf = (agents: string) => join(agents, 'windows');

/** Writes what others need to know of a window, in a file that only this account can read. */
export async function writeWindow(agents: string, id: string, window: ListeningWindow) {
  await makePrivateFolder(folderOf(agents));
  await writePrivateFile(join(folderOf(agents), `${id}.json`), JSON.stringify(window));
}

/** Removes the file of a window that listens no longer. */
export async function removeWindow(agents: string, id: string): Promise<void> {
  await unlink(join(folderOf(agents), `${id}.json`)).catch(() => {});
}

/** Reads the files of all windows; one that is being written or is none of ours is left out. */
export async function readWindows(
  agents: string,
): Promise<readonly { readonly id: string; readonly window: ListeningWindow }[]> {
  const names = await readdir(folderOf(agents)).catch(() => []);
  const ids = names.flatMap((name) => /^([\w-]+)\.json$/.exec(name)?.[1] ?? []);
  const found = await Promise.all(
    ids.slice(0, maxWindows).map(async (id) => {
      try {
        const text = await readSmallFile(join(folderOf(agents), `${id}.json`), maxFileBytes);
        const window: unknown = JSON.parse(text);
        return isWindow(window) ? [{ id, window }] : [];
      } catch {
        return [];
      }
    }),
  );
  return found.flat();
}

/**
 * Sorts windows by how well they fit a folder: those that have it open, the nearest first, and then all others, the one
 * last used first.
 */
export function windowsFor<W extends WindowFacts>(
  folder: string,
  windows: readonly W[],
  platform?: PlatformPath,
): readonly W[] {
  const near = (window: W) => nearnessOf(window, folder, platform);
  return windows.toSorted((a, b) => near(b) - near(a) || b.usedAt - a.usedAt);
}

/** Returns how near a window is to a folder: more, the deeper the folder is by which it has it open; -1 if by none. */
export function nearnessOf(
  { folders }: WindowFacts,
  folder: string,
  platform?: PlatformPath,
): number {
  const containing = folders.filter((one) => isPathInside(one, folder, platform));
  return Math.max(-1, ...containing.map(({ length }) => length));
}

function isWindow(value: unknown): value is ListeningWindow {
  return (
    isRecord(value) &&
    typeof value['socket'] === 'string' &&
    typeof value['pid'] === 'number' &&
    typeof value['usedAt'] === 'number' &&
    Array.isArray(value['folders']) &&
    value['folders'].every((one) => typeof one === 'string')
  );
}
