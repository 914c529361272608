import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import { maxPickRows, narrow } from '../base/text/narrow';
import { plainLabel, truncate } from '../base/text/text';
import { displayName } from '../mcp/protocol/types';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import { entryIcon } from '../ui/entryIcon';
import { moreLabel } from '../ui/moreLabel';
import { watchServers } from '../ui/watchServers';
import type { StartServer } from './getPrompt';
import { byRecency, promptEntries, promptKey, type PromptEntry } from './promptEntry';

type PromptItem = vscode.QuickPickItem & {
  readonly entry?: PromptEntry;
  /** Servers to start because nobody knows their prompts yet. */
  readonly start?: readonly Server[];
};

/** Lets the person pick one of the prompts, live; those that were used come first. */
export type PickPrompt = () => Promise<PromptEntry | undefined>;

/** Makes {@link PickPrompt}; `recent` gives the keys of the prompts that were used, the latest first. */
export function createPickPrompt(deps: {
  readonly servers: Servers;
  readonly startServer: StartServer;
  readonly recent: () => readonly string[];
}): PickPrompt {
  return () => pickPrompt(deps.servers, deps.startServer, deps.recent());
}

function pickPrompt(
  servers: Servers,
  startServer: StartServer,
  recent: readonly string[],
): Promise<PromptEntry | undefined> {
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<PromptItem>());
  pick.title = vscode.l10n.t('Run Prompt');
  pick.placeholder = vscode.l10n.t('Pick a prompt by its title, server, description or arguments');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.keepScrollPosition = true;
  const show = () => {
    pick.busy = servers.all.some(({ state }) => state.kind === 'starting');
    const [active] = pick.activeItems;
    const entries = promptEntries(servers.all);
    const { shown, more } = narrow(entries, pick.value, textOf);
    const items = [
      ...promptItems(shown, recent, entries.length > maxPickRows),
      ...(more > 0 ? [separator(moreLabel(more))] : []),
      ...startItems(servers.all.filter(isUnknown)),
    ];
    pick.items = items;
    // Prompts that come in while one is chosen with the keyboard leave it chosen.
    const again = active?.entry && items.find(({ entry }) => isSame(entry, active.entry));
    if (again) pick.activeItems = [again];
  };
  store.add(servers.onDidChange(show));
  store.add(
    pick.onDidChangeValue(() => {
      // The editor narrows down what it has all of.
      if (promptEntries(servers.all).length > maxPickRows) show();
    }),
  );
  store.add(watchServers(servers, ({ prompts }) => prompts.onDidChange(show)));
  return new Promise((resolve) => {
    store.add(
      pick.onDidAccept(() => {
        const [item] = pick.selectedItems;
        // The outcome of a start is shown where the server is; its prompts appear here.
        for (const server of item?.start ?? []) void startServer(server.id);
        if (!item?.entry) return;
        resolve(item.entry);
        store.dispose();
      }),
    );
    store.add(
      pick.onDidHide(() => {
        resolve(undefined);
        store.dispose();
      }),
    );
    show();
    pick.show();
  });
}

function isSame(a: PromptEntry | undefined, b: PromptEntry | undefined): boolean {
  return a !== undefined && b !== undefined && promptKey(a) === promptKey(b);
}

function isUnknown({ state, prompts }: Server): boolean {
  return prompts.status === 'empty' && (state.kind === 'stopped' || state.kind === 'failed');
}

function startItems(unknown: readonly Server[]): readonly PromptItem[] {
  if (unknown.length === 0) return [];
  const items = unknown.map((server): PromptItem => ({
    label: vscode.l10n.t('Start {0}', plainLabel(server.name)),
    iconPath: new vscode.ThemeIcon('play'),
    start: [server],
  }));
  const all: PromptItem = {
    label: vscode.l10n.t('Start All {0} Servers', String(unknown.length)),
    iconPath: new vscode.ThemeIcon('run-all'),
    start: unknown,
  };
  return [
    separator(vscode.l10n.t('prompts not known yet')),
    ...(items.length > 1 ? [all, ...items] : items),
  ];
}

function promptItems(
  entries: readonly PromptEntry[],
  recentKeys: readonly string[],
  alwaysShow: boolean,
): readonly PromptItem[] {
  const { recent, rest } = byRecency(entries, recentKeys);
  const items: PromptItem[] = [];
  if (recent.length > 0) items.push(separator(vscode.l10n.t('recently used')));
  for (const entry of recent) items.push({ ...promptItem(entry), alwaysShow });
  let server: Server | undefined;
  for (const entry of rest) {
    if (entry.server !== server) items.push(separator(plainLabel(entry.server.name)));
    server = entry.server;
    items.push({ ...promptItem(entry), alwaysShow });
  }
  return items;
}

function textOf({ prompt, server }: PromptEntry): string {
  const { name, description = '' } = prompt;
  return [displayName(prompt), name, server.name, truncate(description, 1000)].join('\n');
}

function separator(label: string): PromptItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function promptItem(entry: PromptEntry): PromptItem {
  const { prompt, server } = entry;
  const title = displayName(prompt);
  const name = title === prompt.name ? '' : `${plainLabel(prompt.name)} · `;
  const args = (prompt.arguments ?? []).map(({ name: argument, required }) =>
    required ? argument : `${argument}?`,
  );
  return {
    label: plainLabel(title),
    iconPath: entryIcon(prompt, new vscode.ThemeIcon('comment')),
    description: `${name}${plainLabel(server.name)}`,
    detail: plainLabel(
      [prompt.description ?? '', args.length > 0 ? `(${args.join(', ')})` : '']
        .filter(Boolean)
        .join(' '),
    ),
    entry,
  };
}
