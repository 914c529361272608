import type { Snapshot } from '../../lists/catalog';
import type { Era } from '../../session/handshake/negotiate';

/** What is kept of a server between sessions, so that its lists are there before it runs. */
export interface RememberedServer {
  readonly snapshot: Snapshot;
  readonly era: Era;
  /** When it was learned, epoch ms. */
  readonly savedAt: number;
}

/** Keeps what was learned of a server by its `memoryKey`; neither call ever rejects. */
export interface ServerMemory {
  load(key: object): Promise<RememberedServer | undefined>;
  save(key: object, remembered: RememberedServer): Promise<void>;
}

/** A memory that forgets. */
export const noMemory: ServerMemory = {
  load: () => Promise.resolve(undefined),
  save: () => Promise.resolve(),
};

/** A server that was upgraded still answers in the old way, so that verdict holds a week only. */
const legacyVerdictMs = 7 * 24 * 3600_000;

/** The era to begin with, given what is remembered. */
export function rememberedEra(remembered: RememberedServer | undefined): Era | undefined {
  if (!remembered) return undefined;
  const old = Date.now() - remembered.savedAt > legacyVerdictMs;
  return remembered.era === 'legacy' && old ? undefined : remembered.era;
}
