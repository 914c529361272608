import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { maxPickRows, narrow } from '../../base/text/narrow';
import { plainLabel, truncate } from '../../base/text/text';
import { displayName, type Tool } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import type { Servers } from '../../mcp/servers';
import { entryIcon } from '../../ui/entryIcon';
import { moreLabel } from '../../ui/moreLabel';

/** A tool and the server that offers it. */
export interface ToolEntry {
  readonly server: Server;
  readonly tool: Tool;
}

type Item = vscode.QuickPickItem & { readonly entry?: ToolEntry };

/** Lets the person pick one of the tools of all servers that `accept` takes; the wished servers start if need be. */
export async function pickTool(
  servers: Servers,
  accept: (entry: ToolEntry) => boolean = () => true,
): Promise<ToolEntry | undefined> {
  const entries = servers.all.flatMap((server) =>
    server.tools.items.map((tool) => ({ server, tool })).filter(accept),
  );
  if (entries.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No server offers such a tool yet. Start a server first.'),
    );
    return undefined;
  }
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<Item>());
  pick.title = vscode.l10n.t('Run Tool');
  pick.placeholder = vscode.l10n.t('Pick a tool to run');
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.items = toItems(entries, '');
  if (entries.length > maxPickRows)
    store.add(pick.onDidChangeValue((typed) => (pick.items = toItems(entries, typed))));
  return new Promise((resolve) => {
    store.add(
      pick.onDidAccept(() => {
        resolve(pick.activeItems[0]?.entry);
        pick.hide();
      }),
    );
    store.add(
      pick.onDidHide(() => {
        resolve(undefined);
        store.dispose();
      }),
    );
    pick.show();
  });
}

function toItems(entries: readonly ToolEntry[], typed: string): readonly Item[] {
  const { shown, more } = narrow(entries, typed, textOf);
  let server: Server | undefined;
  const items = shown.flatMap((entry): Item[] => {
    const heading = entry.server === server ? [] : [separator(plainLabel(entry.server.name))];
    server = entry.server;
    return [...heading, toItem(entry, entries.length > maxPickRows)];
  });
  return more > 0 ? [...items, separator(moreLabel(more))] : items;
}

function toItem(entry: ToolEntry, alwaysShow: boolean): Item {
  return {
    label: plainLabel(displayName(entry.tool)),
    description: plainLabel(entry.server.name),
    detail: plainLabel(entry.tool.description ?? ''),
    iconPath: entryIcon(entry.tool, new vscode.ThemeIcon('symbol-method')),
    alwaysShow,
    entry,
  };
}

function textOf({ server, tool }: ToolEntry): string {
  return [displayName(tool), server.name, truncate(tool.description ?? '', 1000)].join('\n');
}

function separator(label: string): Item {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}
