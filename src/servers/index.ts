import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { Configuration } from '../config/configuration';
import type { StartOutcome } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import { View } from '../ui/ids';
import type { Logs } from '../ui/logs';
import { registerServerCommands } from './serverCommands';
import type { Sections } from './serverNode';
import { ServerTree } from './serverTree';
import { createStatusItem } from './statusItem';

/** The tree of servers, what can be done with one, and how they are in the status bar. */
export function register(deps: {
  readonly servers: Servers;
  readonly configuration: Configuration;
  readonly logs: Logs;
  readonly sections: Sections;
  readonly startServer: (id: string) => Promise<readonly StartOutcome[]>;
}): Disposable {
  const { servers, configuration, sections } = deps;
  const store = new DisposableStore();
  const treeDataProvider = store.add(new ServerTree(servers, configuration, sections));
  const view = store.add(
    vscode.window.createTreeView(View.servers, { treeDataProvider, showCollapseAll: true }),
  );
  store.add(createStatusItem(servers, configuration, view));
  store.add(registerServerCommands(deps));
  store.add(
    vscode.workspace.onDidChangeWorkspaceFolders(() => {
      for (const server of servers.all) server.notifyRootsChanged();
    }),
  );
  return store;
}
