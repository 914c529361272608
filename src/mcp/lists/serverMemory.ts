import type { Snapshot } from './catalog';
import type { Era } from '../protocol/revisions';

/** What is kept about a server between sessions, so that its lists are available before it runs. */
export interface RememberedServer {
  readonly snapshot: Snapshot;
  readonly era: Era;
  /** When this was learned, in epoch milliseconds. */
  readonly savedAt: number;
}

/** Stores what was learned about servers by their `memoryKey`; neither method ever rejects. */
export interface ServerMemory {
  load(key: object): Promise<RememberedServer | undefined>;
  save(key: object, remembered: RememberedServer): Promise<void>;
}

/** A memory that stores nothing. */
export const noMemory: ServerMemory = {
  load: () => Promise.resolve(undefined),
  save: () => Promise.resolve(),
};

/** How long a remembered `legacy` era is trusted: a server that was upgraded would still answer the old way. */
const legacyVerdictMs = 7 * 24 * 3600_000;

/** Returns the era to begin with, given what is remembered; `undefined` if unknown. */
export function rememberedEra(remembered: RememberedServer | undefined): Era | undefined {
  if (!remembered) return undefined;
  const old = Date.now() - remembered.savedAt > legacyVerdictMs;
  return remembered.era === 'legacy' && old ? undefined : remembered.era;
}
