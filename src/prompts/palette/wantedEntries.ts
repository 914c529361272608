import type { Server } from '../../mcp/server';
import { type PromptEntry, promptEntries } from '../promptEntry';
import { type PaletteEntry, paletteEntry } from './paletteEntry';
import { isString, type Memento, StoredList } from '../../base/memento';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { Setting } from '../../ui/ids';
import { onDidChangeSettings, readSetting, updateForUser } from '../../ui/settings/readSetting';

const askedKey = 'palette.asked';
const refusedKey = 'palette.refused';

/**
 * Prompts that the user chose one by one, each of a server as it was launched then: what has its id elsewhere, or later,
 * inherits no choice.
 */
export class ChosenPrompts implements Disposable {
  private readonly list: StoredList<string>;
  private readonly launches = new WeakMap<Server, string>();
  private readonly changed = new Emitter<void>();
  private readonly learned = new Emitter<Server>();

  readonly onDidChange = this.changed.event;
  /** Fires with a server of which {@link has} answers otherwise from now on. */
  readonly onDidLearn = this.learned.event;

  constructor(state: Memento, key: string) {
    this.list = new StoredList(state, key, { max: Infinity, isEntry: isString });
  }

  /** Resolves to the names of the chosen prompts of a server as it is launched now. */
  async namesOf(server: Server): Promise<ReadonlySet<string>> {
    if (!this.list.all.some(isOf(server.id))) return new Set();
    const launch = await server.launchFingerprint();
    const isNew = this.launches.get(server) !== launch;
    this.launches.set(server, launch);
    if (isNew) this.learned.fire(server);
    const own = this.list.all.filter(isOf(server.id, launch));
    return new Set(own.map((text) => (JSON.parse(text) as readonly string[])[2] ?? ''));
  }

  /** True if a prompt is chosen of its server as it was launched when it was last looked at. */
  has(entry: PromptEntry): boolean {
    return this.list.all.includes(this.textOf(entry));
  }

  async choose(entry: PromptEntry, wanted: boolean): Promise<void> {
    const { server } = entry;
    this.launches.set(server, await server.launchFingerprint());
    const text = this.textOf(entry);
    const isSame = (one: string) => one === text;
    await (wanted ? this.list.put(text, isSame) : this.list.remove(isSame));
    this.changed.fire();
  }

  /** Removes the choices of the servers with an id, or all. */
  async clear(serverId?: string): Promise<void> {
    await this.list.remove(serverId === undefined ? () => true : isOf(serverId));
    this.changed.fire();
  }

  dispose(): void {
    this.changed.dispose();
    this.learned.dispose();
  }

  private textOf({ server, prompt }: PromptEntry): string {
    return JSON.stringify([server.id, this.launches.get(server), prompt.name]);
  }
}

/** Returns a function that is true for the choices of a server, by its id and the fingerprint of its launch. */
function isOf(...server: readonly string[]): (one: string) => boolean {
  const beginning = `${JSON.stringify(server).slice(0, -1)},`;
  return (one) => one.startsWith(beginning);
}

/** What the user decided about prompts in the palette, for all windows of the profile. */
export class PaletteChoice implements Disposable {
  private readonly store = new DisposableStore();
  private readonly state: Memento;
  /** The prompts that were added to the palette one by one. */
  readonly pins: ChosenPrompts;
  /** The prompts that are published as slash commands for other chats. */
  readonly publications: ChosenPrompts;
  private readonly changed = this.store.add(new Emitter<void>());

  readonly onDidChange = this.changed.event;

  constructor(state: Memento) {
    this.state = state;
    this.pins = this.store.add(new ChosenPrompts(state, 'palette.pinned'));
    this.publications = this.store.add(new ChosenPrompts(state, 'palette.published'));
    for (const chosen of [this.pins, this.publications])
      this.store.add(chosen.onDidChange(() => this.changed.fire()));
    this.store.add(onDidChangeSettings([Setting.palette], () => this.changed.fire()));
  }

  get mode(): PaletteMode {
    return readSetting(Setting.palette);
  }

  async setMode(mode: PaletteMode): Promise<void> {
    await updateForUser(Setting.palette, mode);
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

/** The prompts that the user wants in the palette, according to the setting. */
export type PaletteMode = 'ask' | 'all' | 'pinned' | 'off';

/** At most this many palette entries are for one server, and for all together; *Run MCP Prompt…* lists the rest. */
export const maxServerEntries = 200;
export const maxPaletteEntries = 1000;

/** A prompt with a longer name gets no entry, because one manifest holds the entries of all workspaces. */
const maxNameLength = 500;

/** Returns how a prompt is listed in the palette; it can be added or removed individually unless all are `listed`. */
export function listingOf(
  { mode, pins }: { readonly mode: PaletteMode; readonly pins: Pick<ChosenPrompts, 'has'> },
  entry: PromptEntry,
): 'listed' | 'pinned' | 'unlisted' {
  if (mode === 'all') return 'listed';
  return mode === 'pinned' && pins.has(entry) ? 'pinned' : 'unlisted';
}

/** What decides on the entries of a window. */
export interface EntryChoice {
  readonly mode: PaletteMode;
  readonly pins: Pick<ChosenPrompts, 'namesOf'>;
  /** The prompts that are also slash commands. */
  readonly publications: Pick<ChosenPrompts, 'namesOf'>;
}

/**
 * Returns the entries that this window wants. A server whose prompts are not known yet keeps those that are
 * `installed`, so that they do not come and go when the editor starts.
 */
export async function wantedEntries(
  servers: readonly Server[],
  { mode, pins, publications }: EntryChoice,
  installed: readonly PaletteEntry[],
): Promise<readonly PaletteEntry[]> {
  const entries: PaletteEntry[] = [];
  for (const server of servers) {
    const pinned = await pins.namesOf(server);
    const slashes = await publications.namesOf(server);
    const isListed = (name: string) => mode === 'all' || (mode === 'pinned' && pinned.has(name));
    const isWanted = (name: string) => isListed(name) || slashes.has(name);
    if (isUnknown(server))
      entries.push(
        ...installed
          .filter((entry) => entry.server === server.id && isWanted(entry.prompt))
          .map((entry) => asWanted(entry, isListed(entry.prompt), slashes.has(entry.prompt))),
      );
    else {
      const prompts = promptEntries([server]).filter(
        ({ prompt: { name } }) => name.length <= maxNameLength && isWanted(name),
      );
      const wanted = (entry: PromptEntry) => {
        const { name } = entry.prompt;
        return paletteEntry(entry, { isListed: isListed(name), isPublished: slashes.has(name) });
      };
      entries.push(...(await Promise.all(prompts.slice(0, maxServerEntries).map(wanted))));
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
