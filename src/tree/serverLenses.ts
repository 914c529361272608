import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { Configuration } from '../config/configuration';
import { findServers } from '../config/places/mcpJson';
import { serverPaths } from '../config/places/places';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import { Command } from '../ui/ids';
import { isUp } from '../mcp/serverState';
import { shownState, type StartHolds } from './shownState';

const mcpJsonFiles = { pattern: '**/{.vscode/mcp.json,.mcp.json}' };
const settingsFiles = { pattern: '**/{settings.json,*.code-workspace}' };

/** Shows each server's state and actions above its name in configuration files. */
export function createServerLenses(
  servers: Servers,
  configuration: Configuration,
  holds: StartHolds,
): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  store.add(servers.onDidChange(() => changed.fire()));
  store.add(configuration.onDidChange(() => changed.fire()));
  for (const { onDidChange } of [holds.asked, holds.restricted, holds.lacking])
    store.add(onDidChange(() => changed.fire()));

  const provide = (isMcpJson: boolean): vscode.CodeLensProvider => ({
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses(document) {
      const uri = isMcpJson ? document.uri.toString() : undefined;
      const place = uri === undefined ? {} : { uri };
      return findServers(document.getText(), serverPaths(place)).flatMap(({ name, range }) => {
        const found = configuration.current.servers.find(
          ({ reading, definition }) => reading.uri === uri && definition.name === name,
        );
        const server = found && servers.get(found.definition.id);
        const line = new vscode.Range(range.line, 0, range.line, 0);
        return server
          ? commands(server, holds).map((command) => new vscode.CodeLens(line, command))
          : [];
      });
    },
  });
  store.add(vscode.languages.registerCodeLensProvider(mcpJsonFiles, provide(true)));
  store.add(vscode.languages.registerCodeLensProvider(settingsFiles, provide(false)));
  return store;
}

function commands(server: Server, holds: StartHolds): vscode.Command[] {
  const { id, state } = server;
  const action = (title: string, command: string) => ({ title, command, arguments: [id] });
  return [
    // The editor's own client adds a line above the same server, too: this one says whose it is.
    { title: `MCP Workbench: ${shownState(server, holds).text}`, command: '' },
    isUp(state)
      ? action(vscode.l10n.t('$(debug-stop) Stop'), Command.stopServer)
      : action(vscode.l10n.t('$(play) Start'), Command.startServer),
    ...(isUp(state)
      ? [action(vscode.l10n.t('$(debug-restart) Restart'), Command.restartServer)]
      : []),
    action(vscode.l10n.t('$(output) Show Log'), Command.showServerLog),
  ];
}
