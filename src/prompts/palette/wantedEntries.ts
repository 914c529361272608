import type { Server } from '../../mcp/server';
import { type PromptEntry, promptEntries, promptKey } from '../promptEntry';
import { type PaletteEntry, paletteEntry } from './paletteEntry';
import { isString, type Memento, StoredList } from '../../base/memento';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { Setting } from '../../ui/ids';
import { onDidChangeSettings, readSetting, updateForUser } from '../../ui/settings/readSetting';

const askedKey = 'palette.asked';
const refusedKey = 'palette.refused';

/** What the user decided about prompts in the palette, for all windows of the profile. */
export class PaletteChoice implements Disposable {
  private readonly store = new DisposableStore();
  private readonly state: Memento;
  private readonly pins: StoredList<string>;
  private readonly publications: StoredList<string>;
  private readonly changed = this.store.add(new Emitter<void>());

  readonly onDidChange = this.changed.event;

  constructor(state: Memento) {
    const listOf = (key: string) =>
      new StoredList(state, key, { max: Infinity, isEntry: isString });
    this.state = state;
    this.pins = listOf('palette.pinned');
    this.publications = listOf('palette.published');
    this.store.add(onDidChangeSettings([Setting.palette], () => this.changed.fire()));
  }

  get mode(): PaletteMode {
    return readSetting(Setting.palette);
  }

  async setMode(mode: PaletteMode): Promise<void> {
    await updateForUser(Setting.palette, mode);
  }

  /** The keys of the prompts that were added one by one. */
  get pinned(): readonly string[] {
    return this.pins.all;
  }

  async pin(key: string, wanted: boolean): Promise<void> {
    await choose(this.pins, key, wanted);
    this.changed.fire();
  }

  async unpinAll(): Promise<void> {
    await this.pins.remove(() => true);
    this.changed.fire();
  }

  /** The keys of the prompts that are published as slash commands for other chats. */
  get published(): readonly string[] {
    return this.publications.all;
  }

  async publish(key: string, wanted: boolean): Promise<void> {
    await choose(this.publications, key, wanted);
    this.changed.fire();
  }

  async unpublishAll(): Promise<void> {
    await this.publications.remove(() => true);
    this.changed.fire();
  }

  /** True once the user has been asked, in any window. */
  get asked(): boolean {
    return this.state.get(askedKey) === true;
  }

  async setAsked(): Promise<void> {
    await this.state.update(askedKey, true);
  }

  /** True once the user has been told that this editor does not accept the entries. */
  get refused(): boolean {
    return this.state.get(refusedKey) === true;
  }

  async setRefused(refused: boolean): Promise<void> {
    await this.state.update(refusedKey, refused);
  }

  dispose(): void {
    this.store.dispose();
  }
}

async function choose(list: StoredList<string>, key: string, wanted: boolean): Promise<void> {
  const isKey = (one: string) => one === key;
  await (wanted ? list.put(key, isKey) : list.remove(isKey));
}

/** The prompts that the user wants in the palette, according to the setting. */
export type PaletteMode = 'ask' | 'all' | 'pinned' | 'off';

/** At most this many palette entries are for one server, and for all together; *Run MCP Prompt…* lists the rest. */
export const maxServerEntries = 200;
export const maxPaletteEntries = 1000;

/** A prompt with a longer name gets no entry, because one manifest holds the entries of all workspaces. */
const maxNameLength = 500;

/** Returns how a prompt is listed in the palette; it can be added or removed individually unless all are `listed`. */
export function listingOf(
  { mode, pinned }: { readonly mode: PaletteMode; readonly pinned: readonly string[] },
  key: string,
): 'listed' | 'pinned' | 'unlisted' {
  if (mode === 'all') return 'listed';
  return mode === 'pinned' && pinned.includes(key) ? 'pinned' : 'unlisted';
}

/**
 * Returns the entries that this window wants. A server whose prompts are not known yet keeps those that are
 * `installed`, so that they do not come and go when the editor starts.
 */
export async function wantedEntries(
  servers: readonly Server[],
  {
    mode,
    pinned,
    published,
  }: {
    readonly mode: PaletteMode;
    readonly pinned: readonly string[];
    /** The keys of the prompts that are also slash commands. */
    readonly published: readonly string[];
  },
  installed: readonly PaletteEntry[],
): Promise<readonly PaletteEntry[]> {
  const slashes = new Set(published);
  const keys = new Set(mode === 'pinned' ? pinned : []);
  const isListed = (key: string) => mode === 'all' || keys.has(key);
  const isWanted = (key: string) => isListed(key) || slashes.has(key);
  const wanted = (entry: PromptEntry) => {
    const key = promptKey(entry);
    return paletteEntry(entry, { isListed: isListed(key), isPublished: slashes.has(key) });
  };
  const entries: PaletteEntry[] = [];
  for (const server of servers) {
    if (isUnknown(server))
      entries.push(
        ...installed
          .filter((entry) => entry.server === server.id && isWanted(keyOf(entry)))
          .map((entry) => asWanted(entry, isListed(keyOf(entry)), slashes.has(keyOf(entry)))),
      );
    else {
      const prompts = promptEntries([server]).filter(
        (entry) => entry.prompt.name.length <= maxNameLength && isWanted(promptKey(entry)),
      );
      const shown = prompts.slice(0, maxServerEntries);
      entries.push(...(await Promise.all(shown.map(wanted))));
    }
  }
  return entries.slice(0, maxPaletteEntries);
}

/** Returns an installed entry as it is wanted now; a new slash command waits until its prompt is known. */
function asWanted(entry: PaletteEntry, isListed: boolean, isPublished: boolean): PaletteEntry {
  const { slash, isUnlisted: _old, ...rest } = entry;
  return {
    ...rest,
    ...(isPublished && slash && { slash }),
    ...(!isListed && { isUnlisted: true }),
  };
}

function keyOf({ server, prompt }: PaletteEntry): string {
  return promptKey({ server: { id: server }, prompt: { name: prompt } });
}

function isUnknown({ prompts }: Server): boolean {
  switch (prompts.status) {
    case 'empty':
    case 'loading':
    case 'failed':
      return prompts.items.length === 0;
    case 'cached':
    case 'loaded':
    case 'stale':
      return false;
  }
}
