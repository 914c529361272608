import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import { plainLabel } from '../../base/text/text';
import { displayName } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import type { Servers } from '../../mcp/servers';
import { registerCommands } from '../../ui/commands';
import { Command } from '../../ui/ids';
import type { Logs } from '../../ui/logs';
import type { PickPrompt } from '../pickPrompt';
import { promptKey, type PromptEntry } from '../promptEntry';
import { isPromptNode } from '../promptSection';
import { CompanionExtension } from './companionExtension';
import { offerPalette } from './offerPalette';
import { Palette } from './palette';
import { PaletteChoice } from './paletteChoice';
import type { PaletteEntry } from './paletteEntry';

/** How a prompt stands to the palette, for the menus of its row. */
export interface PaletteStatus extends Disposable {
  readonly kindOf: (entry: PromptEntry) => 'listed' | 'pinned' | 'unlisted';
  readonly onDidChange: Event<Server>;
}

/** Puts prompts into the command palette, and the commands that decide which. */
export function registerPalette(deps: {
  readonly servers: Servers;
  readonly logs: Logs;
  /** Outlives the session and is shared by all workspaces. */
  readonly state: vscode.Memento;
  readonly storage: vscode.Uri;
  readonly pick: PickPrompt;
  readonly run: (entry: PaletteEntry) => Promise<void>;
}): PaletteStatus {
  const { servers, logs } = deps;
  const store = new DisposableStore();
  const choice = store.add(new PaletteChoice(deps.state));
  const companion = new CompanionExtension(deps.storage);
  const palette = store.add(
    new Palette({
      servers,
      choice,
      companion,
      log: logs.extension,
      run: deps.run,
      onRefused: (error) => void tellRefused(error, choice),
      onUninstalled: () => void choice.setMode('off'),
    }),
  );
  store.add(offerPalette(servers, choice));
  const changed = store.add(new Emitter<Server>());
  store.add(
    choice.onDidChange(() => {
      for (const server of servers.all) changed.fire(server);
    }),
  );
  const chosen = async (row: unknown) => (isPromptNode(row) ? row : await deps.pick());
  store.add(
    registerCommands(logs, {
      [Command.addPromptsToPalette]: async () => {
        await choice.setRefused(false);
        await choice.setMode('all');
        await palette.apply();
      },
      [Command.removePromptsFromPalette]: async () => {
        await choice.setMode('off');
        await choice.setPinned([]);
        await palette.apply();
      },
      [Command.addPromptToPalette]: async (row: unknown) => {
        const entry = await chosen(row);
        if (!entry) return;
        await choice.setRefused(false);
        await choice.setPinned([...new Set([...choice.pinned, promptKey(entry)])]);
        if (choice.mode === 'all') tellListed(entry);
        else await choice.setMode('pinned');
        await palette.apply();
      },
      [Command.removePromptFromPalette]: async (row: unknown) => {
        const entry = await chosen(row);
        if (!entry) return;
        await choice.setPinned(choice.pinned.filter((key) => key !== promptKey(entry)));
        await palette.apply();
      },
    }),
  );
  return {
    onDidChange: changed.event,
    kindOf(entry) {
      if (choice.mode === 'all') return 'listed';
      const pinned = choice.mode === 'pinned' && choice.pinned.includes(promptKey(entry));
      return pinned ? 'pinned' : 'unlisted';
    },
    dispose: () => store.dispose(),
  };
}

async function tellRefused(error: unknown, choice: PaletteChoice): Promise<void> {
  if (choice.refused) return;
  await choice.setRefused(true);
  void vscode.window.showWarningMessage(
    vscode.l10n.t(
      'This editor did not take the entries for the Command Palette ({0}). Run Prompt… has all prompts as before.',
      errorMessage(error),
    ),
  );
}

function tellListed({ prompt }: PromptEntry): void {
  void vscode.window.showInformationMessage(
    vscode.l10n.t(
      'All prompts are in the Command Palette, {0} too.',
      plainLabel(displayName(prompt)),
    ),
  );
}
