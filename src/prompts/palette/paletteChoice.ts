import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { Setting } from '../../ui/ids';
import { readSetting, updateForUser } from '../../ui/settings/readSetting';
import type { PaletteMode } from './wantedEntries';

const pinnedKey = 'palette.pinned';
const publishedKey = 'palette.published';
const askedKey = 'palette.asked';
const refusedKey = 'palette.refused';

/** What the user decided about prompts in the palette, for all windows of the profile. */
export class PaletteChoice implements Disposable {
  private readonly store = new DisposableStore();
  private readonly state: vscode.Memento;
  private readonly changed = this.store.add(new Emitter<void>());

  readonly onDidChange = this.changed.event;

  constructor(state: vscode.Memento) {
    this.state = state;
    this.store.add(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration(Setting.palette)) this.changed.fire();
      }),
    );
  }

  get mode(): PaletteMode {
    return readSetting(Setting.palette);
  }

  async setMode(mode: PaletteMode): Promise<void> {
    await updateForUser(Setting.palette, mode);
  }

  /** The keys of the prompts that were added one by one. */
  get pinned(): readonly string[] {
    return this.state.get<readonly string[]>(pinnedKey, []);
  }

  async setPinned(keys: readonly string[]): Promise<void> {
    await this.state.update(pinnedKey, keys);
    this.changed.fire();
  }

  /** The keys of the prompts that are published as slash commands for other chats. */
  get published(): readonly string[] {
    return this.state.get<readonly string[]>(publishedKey, []);
  }

  async setPublished(keys: readonly string[]): Promise<void> {
    await this.state.update(publishedKey, keys);
    this.changed.fire();
  }

  /** True once the user has been asked, in any window. */
  get asked(): boolean {
    return this.state.get(askedKey, false);
  }

  async setAsked(): Promise<void> {
    await this.state.update(askedKey, true);
  }

  /** True once the user has been told that this editor does not accept the entries. */
  get refused(): boolean {
    return this.state.get(refusedKey, false);
  }

  async setRefused(refused: boolean): Promise<void> {
    await this.state.update(refusedKey, refused);
  }

  dispose(): void {
    this.store.dispose();
  }
}
