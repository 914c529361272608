import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { ConfigFeature } from '../config';
import type { OwnEnvironment } from '../mcp/node/commands/searchPath';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import { registerCommands, reportError } from '../ui/commands';
import { Command, View } from '../ui/ids';
import type { Logs } from '../ui/logs';
import type { Questions } from '../ui/questions/questions';
import type { TreeNode } from '../ui/tree';
import { autostart } from './autostart';
import { createDoctor } from './doctor/createDoctor';
import { registerServerCommands } from './serverCommands';
import type { Sections } from '../tree/serverNode';
import { createServerLenses } from '../tree/serverLenses';
import { ServerTree, type RootRows } from '../tree/serverTree';
import type { StartPolicy } from './startPolicy';
import type { StartServer } from './startServer';
import { createStatusItem } from '../tree/statusItem';

/** The tree of servers, what can be done with one, and how they are in the status bar. */
export function register(deps: {
  readonly context: vscode.ExtensionContext;
  readonly servers: Servers;
  readonly config: ConfigFeature;
  readonly logs: Logs;
  readonly roots: RootRows;
  readonly sections: Sections;
  readonly dragAndDrop: vscode.TreeDragAndDropController<TreeNode>;
  readonly policy: StartPolicy;
  readonly startServer: StartServer;
  readonly environment: OwnEnvironment;
  readonly questions: Questions;
}): Disposable {
  const { context, servers, config, roots, sections } = deps;
  const { configuration, isTrusted } = config;
  const store = new DisposableStore();
  const treeDataProvider = store.add(new ServerTree(servers, configuration, roots, sections));
  const view = store.add(
    vscode.window.createTreeView(View.servers, {
      treeDataProvider,
      dragAndDropController: deps.dragAndDrop,
      canSelectMany: true,
      manageCheckboxStateManually: true,
      showCollapseAll: true,
    }),
  );
  store.add(
    view.onDidChangeCheckboxState(({ items }) => {
      for (const [node, state] of items)
        node
          .setChecked?.(state === vscode.TreeItemCheckboxState.Checked)
          .catch((error: unknown) => reportError(error, deps.logs));
    }),
  );
  store.add(
    registerCommands(deps.logs, {
      [Command.showMoreRows]: (row: TreeNode) => treeDataProvider.showMore(row),
    }),
  );
  store.add(createStatusItem(servers, configuration, view, deps.questions));
  store.add(createServerLenses(servers, configuration));
  const { version } = context.extension.packageJSON as { readonly version: string };
  const doctor = store.add(createDoctor({ ...deps, version }));
  store.add(registerServerCommands({ ...deps, configuration, doctor }));
  store.add(autostart({ ...deps, isTrusted }));
  store.add(
    config.onDidWithdrawTrust(() => {
      for (const server of servers.all) void stopUntrusted(server, isTrusted);
    }),
  );
  return store;
}

async function stopUntrusted(
  server: Server,
  isTrusted: (id: string) => Promise<boolean>,
): Promise<void> {
  if (server.state.kind !== 'stopped' && !(await isTrusted(server.id))) await server.stop();
}
