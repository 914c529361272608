import * as vscode from 'vscode';
import { maxPickRows } from '../../base/text/narrow';
import { plainLabel } from '../../base/text/text';
import { displayName, type Tool } from '../../mcp/protocol/types';
import type { Server } from '../../mcp/server';
import type { Servers } from '../../mcp/servers';
import { toolNote } from '../../ui/toolNote';
import type { ToolSelection } from './toolSelection';

type Item = vscode.QuickPickItem & { readonly server?: Server; readonly tool?: Tool };

/** Lets the person check the tools that models are offered; the choice is kept for the workspace. */
export async function selectTools(servers: Servers, selection: ToolSelection): Promise<void> {
  const all = servers.all.flatMap((server) => server.tools.items.map((tool) => ({ server, tool })));
  const items: Item[] = [];
  for (const { server, tool } of all.slice(0, maxPickRows)) {
    if (items.at(-1)?.server !== server)
      items.push({ label: plainLabel(server.name), kind: vscode.QuickPickItemKind.Separator });
    items.push({
      label: plainLabel(displayName(tool)),
      description: plainLabel(server.name),
      detail: plainLabel([toolNote(tool), tool.description].filter(Boolean).join(' · ')),
      picked: selection.offers(server, tool),
      server,
      tool,
    });
  }
  const more = all.length - maxPickRows;
  if (more > 0)
    items.push({
      label: vscode.l10n.t('{0} more stay as they are', more.toLocaleString()),
      kind: vscode.QuickPickItemKind.Separator,
    });
  const chosen = await vscode.window.showQuickPick(items, {
    title: vscode.l10n.t('Select Tools'),
    placeHolder: vscode.l10n.t('Check the tools that models in this workspace are offered'),
    canPickMany: true,
    matchOnDescription: true,
    matchOnDetail: true,
    ignoreFocusOut: true,
  });
  if (chosen) await selection.choose(entriesOf(items), entriesOf(chosen));
}

function entriesOf(
  items: readonly Item[],
): readonly { readonly server: Server; readonly tool: Tool }[] {
  return items.flatMap(({ server, tool }) => (server && tool ? [{ server, tool }] : []));
}
