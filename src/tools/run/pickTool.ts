import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import { displayName, type Tool } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import type { Servers } from '../../mcp/servers';
import { entryIcon } from '../../ui/entryIcon';

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
  const items = servers.all.flatMap((server): Item[] => {
    const entries = server.tools.items.map((tool) => ({ server, tool })).filter(accept);
    if (entries.length === 0) return [];
    return [
      { label: plainLabel(server.name), kind: vscode.QuickPickItemKind.Separator },
      ...entries.map((entry) => ({
        label: plainLabel(displayName(entry.tool)),
        description: plainLabel(server.name),
        detail: plainLabel(entry.tool.description ?? ''),
        iconPath: entryIcon(entry.tool, new vscode.ThemeIcon('symbol-method')),
        entry,
      })),
    ];
  });
  if (items.length === 0) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('No server offers such a tool yet. Start a server first.'),
    );
    return undefined;
  }
  const picked = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Run Tool'),
    placeHolder: vscode.l10n.t('Pick a tool to run'),
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.entry;
}
