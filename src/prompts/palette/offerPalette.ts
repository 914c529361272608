import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable';
import { plainLabel } from '../../base/text/text';
import type { Server } from '../../mcp/server';
import type { Servers } from '../../mcp/servers';
import { watchServers } from '../../ui/watchServers';
import type { PaletteChoice } from './paletteChoice';

/** Asks once, when a server with prompts first connects, whether to add prompts to the Command Palette. */
export function offerPalette(
  servers: Servers,
  choice: PaletteChoice,
  addAll: () => Promise<void>,
): Disposable {
  let offered = false;
  const offer = (server: Server) => {
    const { status, items } = server.prompts;
    if (offered || choice.asked || choice.mode !== 'ask') return;
    if (status !== 'loaded' || items.length === 0) return;
    offered = true;
    void ask(server, choice, addAll);
  };
  return watchServers(servers, (server) => server.prompts.onDidChange(() => offer(server)));
}

async function ask(
  server: Server,
  choice: PaletteChoice,
  addAll: () => Promise<void>,
): Promise<void> {
  await choice.setAsked();
  const add = vscode.l10n.t('Add');
  const never = vscode.l10n.t('Never');
  const answer = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      '{0} offers prompts. Add the prompts of your servers to the Command Palette? This installs a small extension that MCP Workbench generates and that contains no code.',
      plainLabel(server.name),
    ),
    add,
    vscode.l10n.t('Not Now'),
    never,
  );
  if (answer === add) await addAll();
  if (answer === never) await choice.setMode('off');
}
