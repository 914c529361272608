import * as vscode from 'vscode';
import { shownPath } from '../base/uri/fileAddress';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { ServerRequestHandlers } from '../mcp/protocol/serverRequests';
import type { Servers } from '../mcp/server';
import { registerCommands } from '../ui/commands';
import { revealInExplorer } from '../ui/editorCommands';
import { Command } from '../ui/ids';
import type { TreeNode } from '../ui/tree';
import { watchServers } from '../ui/watchServers';
import { askRoot, askWorkspaceRoots } from './askRoot';
import { createRootsNode, isRootNode, type NodesInRoot } from './rootNodes';
import { RootConsents, Roots } from './roots';
import type { UserAction } from '../ui/questions/question';
import { copyAddresses, copyText } from '../ui/clipboard';
import type { WorkbenchWindow } from '../ui/window';

/** What the tree and the servers need from roots. */
export interface RootsFeature extends Disposable {
  /** The top row of the tree. */
  readonly node: TreeNode;
  /** Fires when the rows below {@link node} change. */
  readonly onDidChange: Event<void>;
  readonly listRoots: NonNullable<ServerRequestHandlers['listRoots']>;
}

/** Registers the folders that servers may work in: rows, choices, and the answer to `roots/list`. */
export function register(
  deps: WorkbenchWindow & {
    readonly servers: Servers;
    readonly nodesInRoot: NodesInRoot;
  },
): RootsFeature {
  const { servers, logs, context, nodesInRoot, questions } = deps;
  const disposables = new DisposableStore();
  const roots = disposables.add(
    new Roots(
      servers,
      deps.writer,
      new RootConsents(context.workspaceState),
      (added) => askWorkspaceRoots(questions, added),
      // A page has no files.
      async (path) => (await deps.platform.programs?.realPath(path)) ?? path,
    ),
  );
  const changed = disposables.add(new vscode.EventEmitter<void>());
  disposables.add(roots.onDidChange(() => changed.fire()));
  disposables.add(
    watchServers(servers, ({ resources }) => {
      let had = false;
      return resources.onDidChange(() => {
        // Other resources are not shown below a root.
        const has = resources.items.some(({ uri }) => uri.startsWith('file:'));
        if (has || had) changed.fire();
        had = has;
      });
    }),
  );
  disposables.add(
    registerCommands(logs, {
      [Command.addRoot]: async (action: UserAction) => {
        const root = await askRoot(questions, action);
        if (root) await roots.add(root);
      },
      [Command.removeRoot]: async (_action: UserAction, row: unknown) => {
        if (isRootNode(row) && row.root.added) await roots.remove(row.root);
      },
      [Command.copyRootPath]: async (_action: UserAction, row: unknown) => {
        if (!isRootNode(row)) return;
        await (row.folder ? copyText(shownPath(row.folder)) : copyAddresses(row.root.uri));
      },
      [Command.revealRoot]: async (action: UserAction, row: unknown) => {
        if (isRootNode(row) && row.folder) await revealInExplorer(row.folder, action);
      },
    }),
  );
  return {
    node: createRootsNode(roots, nodesInRoot),
    onDidChange: changed.event,
    listRoots: (server) => roots.answer(server),
    dispose: () => disposables.dispose(),
  };
}
