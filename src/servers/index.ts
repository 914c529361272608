import * as vscode from 'vscode';
import type { AuditLog } from '../audit/auditLog';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { ConfigFeature } from '../config';
import type { Server, Servers } from '../mcp/server';
import { watchServers } from '../ui/watchServers';
import { onDidSetContextKey, registerCommands, reportError } from '../ui/commands';
import { keepTab, untilEditorCaughtUp } from '../ui/editorCommands';
import { Command, ContextKey, View } from '../ui/ids';
import { OpenRows, openFoundRows } from '../ui/rows/openRows';
import { RowClicks, nodeClick } from '../ui/rows/rowClicks';
import type { TreeNode } from '../ui/tree';
import { AutomaticStarts, warmUp } from './automaticStarts';
import type { ConfiguredStarts } from './configuredStarts';
import { createSelectionKeys, keepContextKeys } from './contextKeys';
import { createDoctor } from './createDoctor';
import { RegistryUpdates } from './registryUpdates';
import { registerServerCommands } from './serverCommands';
import { registerRemoveCommand } from './removeServer';
import { registerShareCommands, registerSwitchCommands } from './switchCommands';
import { joinNotes, type Sections, type ServerNotes } from '../tree/serverNode';
import { ServerTree, type TopNode } from '../tree/serverTree';
import { createServerLenses } from '../tree/serverLenses';
import type { StartPolicy } from '../config/launch/startPolicy';
import { createStatusAndBadge } from '../tree/statusAndBadge';
import type { UserAction } from '../ui/questions/question';
import type { WorkbenchWindow } from '../ui/window';

interface ServersDeps extends WorkbenchWindow {
  readonly servers: Servers;
  readonly config: ConfigFeature;
  /** The rows above the servers. */
  readonly tops: readonly TopNode[];
  readonly sections: Sections;
  readonly notes: readonly ServerNotes[];
  /** Removes what is kept of a server that could not be used. */
  readonly forget: (serverId: string) => Promise<void>;
  readonly dragAndDrop: vscode.TreeDragAndDropController<TreeNode>;
  readonly policy: StartPolicy;
  readonly starts: ConfiguredStarts;
  readonly auditLog: AuditLog;
}

/** Registers the tree of servers, the commands for them, and their state in the status bar. */
export function register(deps: ServersDeps): Disposable {
  const { context, servers, config, tops, sections, platform } = deps;
  const { configuration, switches, launches } = config;
  const store = new DisposableStore();
  const { secrets } = context;
  const { workspace } = vscode;
  store.add(new AutomaticStarts({ ...deps, configuration, launches, workspace, secrets }));
  const updates = store.add(new RegistryUpdates({ ...deps, ...config }));
  const notes = joinNotes(...deps.notes, updates.notes);
  const treeDataProvider = store.add(
    new ServerTree(
      servers,
      configuration,
      tops,
      sections,
      notes,
      new OpenRows(context.workspaceState),
    ),
  );
  const view = createView(treeDataProvider, deps, store);
  const { onDidFind, onDidShow, openRows } = treeDataProvider;
  store.add(config.onDidAdd((id) => treeDataProvider.show(id)));
  store.add(
    onDidShow((row) =>
      // The row may be gone by the time the editor looks for it.
      openRows.opening.track(Promise.resolve(view.reveal(row, selectOnly))).catch(() => {}),
    ),
  );
  store.add(openRows.watch(view));
  store.add(openFoundRows(view, onDidFind, deps.logs.extension, openRows.opening));
  const clicks = new RowClicks(view, nodeClick, {
    keepTab,
    untilEditorCaughtUp,
    showAsked: (since) => deps.questions.showAsked(since),
  });
  store.add(
    watchServers(servers, ({ id }) => ({
      dispose: () => {
        if (!servers.get(id)) deps.questions.withdrawForms(id);
      },
    })),
  );
  store.add(
    registerCommands(deps.logs, {
      [Command.clickRow]: (action: UserAction) => clicks.click(action),
      [Command.showMoreRows]: (_action: UserAction, row: TreeNode) =>
        treeDataProvider.showMore(row),
    }),
  );
  store.add(keepContextKeys({ ...deps, configuration }));
  store.add(createStatusAndBadge(servers, configuration, view, deps.questions));
  store.add(createServerLenses(servers, configuration));
  const { version } = context.extension.packageJSON as { readonly version: string };
  const doctor = store.add(createDoctor({ ...deps, version }));
  store.add(registerServerCommands({ ...deps, configuration, doctor }));
  store.add(registerSwitchCommands({ ...deps, configuration, switches }));
  store.add(registerRemoveCommand({ ...deps, configuration }));
  store.add(registerShareCommands({ ...deps, configuration }));
  store.add(warmUp(servers, platform, { log: deps.logs.extension }));
  store.add(
    config.onDidWithdrawTrust(() => {
      for (const server of servers.all) void stopUntrusted(server, launches);
    }),
  );
  return store;
}

function createView(
  treeDataProvider: ServerTree,
  { dragAndDrop, logs }: ServersDeps,
  store: DisposableStore,
): vscode.TreeView<TreeNode> {
  const view = store.add(
    vscode.window.createTreeView(View.servers, {
      treeDataProvider,
      dragAndDropController: dragAndDrop,
      canSelectMany: true,
      manageCheckboxStateManually: true,
      showCollapseAll: true,
    }),
  );
  store.add(
    onDidSetContextKey((key) => {
      // Alone, it has the heading of its container; beside others, the same words would stand above each other.
      if (key === ContextKey.toolLogShown || key === ContextKey.trafficShown)
        view.title = vscode.l10n.t('Servers');
    }),
  );
  const tellSelected = createSelectionKeys();
  store.add(view.onDidChangeSelection(({ selection }) => tellSelected(selection)));
  store.add(
    view.onDidChangeCheckboxState(({ items }) => {
      for (const [node, state] of items)
        node
          .setChecked?.(state === vscode.TreeItemCheckboxState.Checked)
          .catch((error: unknown) => reportError(error, logs));
    }),
  );
  return view;
}

const selectOnly = { select: true, focus: false, expand: false };

async function stopUntrusted(server: Server, launches: ConfigFeature['launches']): Promise<void> {
  if (server.state.kind === 'stopped') return;
  const found = await launches.readiness(server.id);
  if (found !== 'ready' && found !== 'needsValue') await server.stop();
}
