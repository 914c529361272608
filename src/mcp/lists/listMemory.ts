import { errorMessage } from '../../base/errors';
import type { Logger } from '../../base/log';
import { fingerprint } from '../../base/bytes';
import { asRecord } from '../../base/json';
import { listKinds } from './listSpecs';
import type { RememberedServer, ServerMemory } from './catalog';
import { isEra } from '../protocol/revisions';

/** Changes whenever the format of the texts does: those of another version count as absent. */
const version = 1;
const maxFileBytes = 16_000_000;
const maxFiles = 200;

/** A folder of small private texts, each with a name; every method rejects if the text does not exist. */
export interface TextFolder {
  read(name: string): Promise<string>;
  /** Writes a text atomically, whether or not it exists. */
  write(name: string, text: string): Promise<void>;
  names(): Promise<readonly string[]>;
  /** Resolves with the time when a text was last written, in epoch milliseconds. */
  changedAt(name: string): Promise<number>;
  remove(name: string): Promise<void>;
}

/** What the names of all texts about one server begin with. */
async function beginningFor(key: object): Promise<string> {
  const { name, place } = asRecord(key);
  return `${(await fingerprint({ name, place })).slice(0, 16)}-`;
}

/**
 * Creates a {@link ServerMemory} with one text per key of a server, named by fingerprints. One that is
 * damaged counts as absent; one that would be too large is not written.
 */
export function createListMemory(folder: TextFolder, log: Logger): ServerMemory {
  const nameOf = async (key: object) => `${await beginningFor(key)}${await fingerprint(key)}.json`;
  let pruned: Promise<void> | undefined;

  return {
    async load(key) {
      const name = await nameOf(key);
      const text = await folder.read(name).catch(() => undefined);
      try {
        return text === undefined ? undefined : parse(text);
      } catch {
        log.warn('The remembered lists of a server are damaged, and are loaded again.');
        return undefined;
      }
    },

    async save(key, remembered) {
      try {
        const text = JSON.stringify({ version, ...remembered });
        if (text.length > maxFileBytes) return;
        await folder.write(await nameOf(key), text);
        pruned ??= keepNewest(folder, maxFiles);
        await pruned;
      } catch (error) {
        log.warn(`The lists of a server could not be kept: ${errorMessage(error)}`);
      }
    },

    async forget(key) {
      try {
        const beginning = await beginningFor(key);
        const names = await folder.names().catch((): readonly string[] => []);
        for (const name of names) if (name.startsWith(beginning)) await folder.remove(name);
      } catch (error) {
        log.warn(`The lists of a server could not be removed: ${errorMessage(error)}`);
      }
    },
  };
}

/** Removes the least recently written texts of a folder until at most `most` are left. */
async function keepNewest(folder: TextFolder, most: number): Promise<void> {
  const names = await folder.names();
  if (names.length <= most) return;
  const files = await Promise.all(
    names.map(async (name) => ({ name, time: await folder.changedAt(name) })),
  );
  const oldest = files.toSorted((a, b) => a.time - b.time).slice(0, names.length - most);
  await Promise.all(oldest.map(({ name }) => folder.remove(name)));
}

function parse(text: string): RememberedServer | undefined {
  const value = JSON.parse(text) as Partial<RememberedServer> & { readonly version?: unknown };
  const { snapshot, era, savedAt } = value;
  if (value.version !== version || typeof savedAt !== 'number') return undefined;
  if (!isEra(era)) return undefined;
  const whole = listKinds.every((kind) =>
    Array.isArray((snapshot as Record<string, unknown> | undefined)?.[kind]),
  );
  return snapshot && whole ? { snapshot, era, savedAt } : undefined;
}
