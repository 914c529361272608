import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { Configuration } from '../config/configuration';
import { findServers, serverPaths } from '../config/places/mcpJson';
import type { Server, Servers } from '../mcp/server';
import { Command } from '../ui/ids';
import { isUp, sessionInfo } from '../mcp/serverState';
import { shownState } from './shownState';

const mcpJsonFiles = { pattern: '**/{.vscode/mcp.json,.mcp.json}' };
const settingsFiles = { pattern: '**/{settings.json,*.code-workspace}' };

/** Shows each server's state and actions above its name in configuration files. */
export function createServerLenses(servers: Servers, configuration: Configuration): Disposable {
  const store = new DisposableStore();
  const changed = store.add(new vscode.EventEmitter<void>());
  store.add(servers.onDidChange(() => changed.fire()));
  store.add(configuration.onDidChange(() => changed.fire()));

  const provide = (isMcpJson: boolean): vscode.CodeLensProvider => ({
    onDidChangeCodeLenses: changed.event,
    provideCodeLenses(document) {
      const uri = isMcpJson ? document.uri.toString() : undefined;
      const place = uri === undefined ? {} : { uri };
      return findServers(document.getText(), serverPaths(place)).flatMap(({ name, range }) => {
        const found = configuration.current.servers.find(
          ({ layer, definition }) => layer.uri === uri && definition.name === name,
        );
        const server = found && servers.get(found.definition.id);
        const at = range.line + (isMcpJson && hasOwnLine(document, range.line) ? 1 : 0);
        const line = new vscode.Range(at, 0, at, 0);
        return server ? commands(server).map((command) => new vscode.CodeLens(line, command)) : [];
      });
    },
  });
  store.add(vscode.languages.registerCodeLensProvider(mcpJsonFiles, provide(true)));
  store.add(vscode.languages.registerCodeLensProvider(settingsFiles, provide(false)));
  return store;
}

/** True if the editor's own client says something above a server, below whose name is room for another line. */
function hasOwnLine(document: vscode.TextDocument, line: number): boolean {
  const { uri, lineCount } = document;
  if (!uri.path.endsWith('/.vscode/mcp.json') || line + 1 >= lineCount) return false;
  return document.lineAt(line).text.trimEnd().endsWith('{');
}

/** Says how much a server that has a session offers, in the order of its rows. */
function countsOf({ state, tools, prompts, resources }: Server): readonly string[] {
  if (sessionInfo(state) === undefined) return [];
  const { t } = vscode.l10n;
  const counts: readonly (readonly [count: number, one: string, several: string])[] = [
    [resources.items.length, t('1 resource'), t('{0} resources', resources.items.length)],
    [prompts.items.length, t('1 prompt'), t('{0} prompts', prompts.items.length)],
    [tools.items.length, t('1 tool'), t('{0} tools', tools.items.length)],
  ];
  return counts.flatMap(([count, one, several]) =>
    count === 0 ? [] : [count === 1 ? one : several],
  );
}

function commands(server: Server): vscode.Command[] {
  const { id, state } = server;
  const action = (title: string, command: string) => ({ title, command, arguments: [id] });
  return [
    // The editor's own client says something of the same server, too: this one says whose it is.
    {
      title: `MCP Workbench: ${[shownState(state).text, ...countsOf(server)].join(' · ')}`,
      command: '',
    },
    isUp(state)
      ? action(vscode.l10n.t('$(debug-stop) Stop'), Command.stopServer)
      : action(vscode.l10n.t('$(play) Start'), Command.startServer),
    ...(isUp(state)
      ? [action(vscode.l10n.t('$(debug-restart) Restart'), Command.restartServer)]
      : []),
    action(vscode.l10n.t('$(output) Show Log'), Command.showServerLog),
  ];
}
