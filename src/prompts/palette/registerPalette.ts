import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable';
import { errorMessage } from '../../base/errors';
import { Emitter, type Event } from '../../base/event';
import { plainLabel } from '../../base/text/text';
import type { Platform } from '../../mcp/platform';
import { displayName } from '../../mcp/protocol/types';
import type { Server, Servers } from '../../mcp/server';
import { registerCommands } from '../../ui/commands';
import { Command } from '../../ui/ids';
import type { Logs } from '../../ui/logs';
import type { PickPrompt } from '../pickPrompt';
import type { PromptRuns } from '../runPrompt';
import type { PromptEntry } from '../promptEntry';
import { isPromptNode } from '../promptSection';
import { CompanionExtension } from './companionExtension';
import { Palette } from './palette';
import { PaletteChoice, listingOf } from './wantedEntries';
import { type PaletteEntry, paletteEntry } from './paletteEntry';
import type { UserAction } from '../../ui/questions/question';
import { watchServers } from '../../ui/watchServers';
import { showMessage, tellBriefly } from '../../ui/messages';

/** Asks once, when a server with prompts first connects, whether to add prompts to the Command Palette. */
function offerPalette(
  servers: Servers,
  choice: PaletteChoice,
  addAll: () => Promise<void>,
): Disposable {
  let offered = false;
  const offerOnce = (server: Server) => {
    const { status, items } = server.prompts;
    if (offered || choice.asked || choice.mode !== 'ask') return;
    if (status !== 'loaded' || items.length === 0) return;
    offered = true;
    void ask(server, choice, addAll);
  };
  return watchServers(servers, (server) => server.prompts.onDidChange(() => offerOnce(server)));
}

async function ask(
  server: Server,
  choice: PaletteChoice,
  addAll: () => Promise<void>,
): Promise<void> {
  await choice.setAsked();
  const add = vscode.l10n.t('Add');
  const never = vscode.l10n.t('Never');
  const answer = await showMessage(
    'info',
    vscode.l10n.t(
      '"{0}" offers prompts. Add the prompts of your servers to the Command Palette? This installs a small extension that MCP Workbench generates and that contains no code.',
      plainLabel(server.name),
    ),
    add,
    vscode.l10n.t('Not Now'),
    never,
  );
  if (answer?.button === add) await addAll();
  if (answer?.button === never) await choice.setMode('off');
}

const doneMs = 5000;

/** The status of prompts in the palette, for the menus of their rows. */
export interface PaletteStatus extends Disposable {
  readonly kindOf: (entry: PromptEntry) => string;
  /** Resolves to true if the prompt of the server that has the id now is published as a slash command. */
  readonly isPublished: (serverId: string, prompt: string) => Promise<boolean>;
  readonly onDidChange: Event<Server>;
  /** Keeps nothing of what a server said of its prompts, nor what was chosen of them. */
  readonly forget: (serverId: string) => Promise<void>;
}

/** Registers the prompts in the Command Palette, and the commands that decide which ones are there. */
export function registerPalette(deps: {
  readonly servers: Servers;
  readonly logs: Logs;
  /** Outlives the session and is shared by all workspaces. */
  readonly state: vscode.Memento;
  readonly storage: vscode.Uri;
  /** The icon of this extension, which the generated one uses, too. */
  readonly icon: vscode.Uri;
  readonly platform: Platform;
  readonly runs: PromptRuns;
}): PaletteStatus {
  const { servers, logs } = deps;
  const store = new DisposableStore();
  const choice = store.add(new PaletteChoice(deps.state));
  const companion = new CompanionExtension(deps.storage, deps.platform.files, deps.icon);
  const palette = store.add(
    new Palette({
      servers,
      choice,
      companion,
      logs,
      runs: deps.runs,
      onRefused: (error) => void tellRefused(error, choice),
      onUninstalled: () => void choice.setMode('off').then(() => choice.publications.clear()),
    }),
  );
  const commands = new PaletteCommands(servers, choice, palette, deps.runs.pick);
  store.add(offerPalette(servers, choice, () => commands.addAll()));
  const changed = store.add(new Emitter<Server>());
  store.add(
    choice.onDidChange(() => {
      for (const server of servers.all) changed.fire(server);
    }),
  );
  for (const { onDidLearn } of [choice.pins, choice.publications])
    store.add(onDidLearn((server) => changed.fire(server)));
  store.add(commands.register(logs));
  return {
    onDidChange: changed.event,
    async isPublished(serverId, prompt) {
      const server = servers.get(serverId);
      return server !== undefined && (await choice.publications.namesOf(server)).has(prompt);
    },
    kindOf(entry) {
      const listing = listingOf(choice, entry);
      return choice.publications.has(entry) ? `${listing}.slash` : listing;
    },
    async forget(serverId) {
      for (const chosen of [choice.pins, choice.publications]) await chosen.clear(serverId);
      palette.forget(serverId);
    },
    dispose: () => store.dispose(),
  };
}

/** The commands that put prompts into the Command Palette and take them out of it. */
class PaletteCommands {
  private readonly servers: Servers;
  private readonly choice: PaletteChoice;
  private readonly palette: Palette;
  private readonly pick: PickPrompt;

  constructor(servers: Servers, choice: PaletteChoice, palette: Palette, pick: PickPrompt) {
    this.servers = servers;
    this.choice = choice;
    this.palette = palette;
    this.pick = pick;
  }

  register(logs: Logs): Disposable {
    const { t } = vscode.l10n;
    /** Runs on the prompt of a row, or on the one that is picked below the title. */
    const onPrompt =
      (title: string, run: (entry: PromptEntry) => Promise<void>) =>
      async (action: UserAction, row: unknown) => {
        const entry = isPromptNode(row) ? row : await this.pick(action, title);
        // A choice is for the server that has the id now, which also runs the prompt.
        const server = entry && this.servers.get(entry.server.id);
        if (server) await run({ server, prompt: entry.prompt });
      };
    return registerCommands(logs, {
      [Command.addPromptsToPalette]: () => this.addAll(),
      [Command.removePromptsFromPalette]: () => this.removeAll(),
      [Command.addPromptToPalette]: onPrompt(t('Add Prompt to Command Palette'), (entry) =>
        this.add(entry),
      ),
      [Command.removePromptFromPalette]: onPrompt(
        t('Remove Prompt from Command Palette'),
        (entry) => this.remove(entry),
      ),
      [Command.publishPrompt]: onPrompt(t('Publish as Slash Command'), (entry) =>
        this.publish(entry),
      ),
      [Command.withdrawPrompt]: onPrompt(t('Withdraw Slash Command'), (entry) =>
        this.withdraw(entry),
      ),
    });
  }

  async addAll(): Promise<void> {
    await this.choice.setRefused(false);
    await this.choice.setMode('all');
    if (await this.palette.apply()) tellDone(vscode.l10n.t('Prompts are in the Command Palette'));
  }

  private async removeAll(): Promise<void> {
    await this.choice.setMode('off');
    await this.choice.pins.clear();
    if (await this.palette.apply())
      tellDone(vscode.l10n.t('Prompts are no longer in the Command Palette'));
  }

  private async add(entry: PromptEntry): Promise<void> {
    const { choice } = this;
    await choice.setRefused(false);
    await choice.pins.choose(entry, true);
    if (choice.mode === 'all') tellListed(entry);
    else await choice.setMode('pinned');
    await this.palette.apply();
  }

  private async remove(entry: PromptEntry): Promise<void> {
    const { choice } = this;
    await choice.pins.choose(entry, false);
    await this.palette.apply();
  }

  private async publish(entry: PromptEntry): Promise<void> {
    const { choice } = this;
    await choice.setRefused(false);
    await choice.publications.choose(entry, true);
    await this.palette.apply();
    tellPublished(entry, await paletteEntry(entry, { isPublished: true }));
  }

  private async withdraw(entry: PromptEntry): Promise<void> {
    const { choice } = this;
    await choice.publications.choose(entry, false);
    await this.palette.apply();
  }
}

async function tellRefused(error: unknown, choice: PaletteChoice): Promise<void> {
  if (choice.refused) return;
  await choice.setRefused(true);
  void showMessage(
    'warning',
    vscode.l10n.t(
      'The Command Palette entries could not be installed ({0}). Run MCP Prompt… still lists every prompt.',
      errorMessage(error, vscode.l10n.t),
    ),
  );
}

/** Shows the text in the status bar, where the progress was shown. */
function tellDone(text: string): void {
  tellBriefly(text, doneMs, 'check');
}

function tellListed({ prompt }: PromptEntry): void {
  void showMessage(
    'info',
    vscode.l10n.t(
      'All prompts are in the Command Palette, {0} too.',
      plainLabel(displayName(prompt)),
    ),
  );
}

function tellPublished({ prompt }: PromptEntry, { slash }: PaletteEntry): void {
  void showMessage(
    'info',
    vscode.l10n.t(
      'Type /{0} in a chat of the editor to run {1}.',
      slash?.name ?? '',
      plainLabel(displayName(prompt)),
    ),
  );
}
