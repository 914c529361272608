import { DisposableStore, type Disposable } from '../base/disposable';
import { Emitter } from '../base/event';
import type { Server } from '../mcp/server';
import type { Servers } from '../mcp/servers';
import { registerCommands } from '../ui/commands';
import { attachToChat } from '../ui/editorCommands';
import { Command } from '../ui/ids';
import type { Logs } from '../ui/logs';
import type { TreeNode, TreeSection } from '../ui/tree';
import { registerFileSystem } from './fileSystem';
import { openResource } from './openResource';
import { pickResource } from './pickResource';
import { expectedName } from './resourceDocument';
import { isResourceNode, ResourceRows } from './resourceRows';
import { ResourceStore } from './resourceStore';
import { toResourceUri } from './resourceUri';
import { TemplateRows } from './templateRows';

/** Resources as rows of the tree and as documents of the editor. */
export function register(deps: {
  readonly servers: Servers;
  readonly logs: Logs;
}): Disposable & { readonly section: TreeSection; readonly templateSection: TreeSection } {
  const { servers, logs } = deps;
  const disposables = new DisposableStore();
  const store = disposables.add(new ResourceStore(servers));
  disposables.add(registerFileSystem(store));
  const changed = disposables.add(new Emitter<TreeNode | Server>());
  disposables.add(
    registerCommands(logs, {
      [Command.openResource]: async (row: unknown) => {
        const node = isResourceNode(row) ? row : await pickResource(servers);
        if (!node) return;
        const { server, resource } = node;
        await openResource(store, { serverId: server.id, uri: resource.uri }, resource.name);
      },
      [Command.attachResource]: async (row: unknown, rows: unknown) => {
        const picked = isResourceNode(row) ? row : await pickResource(servers);
        const nodes = Array.isArray(rows) ? rows.filter(isResourceNode) : picked ? [picked] : [];
        await attachToChat(
          nodes.map(({ server, resource: { uri, ...hint } }) =>
            toResourceUri({ serverId: server.id, uri }, expectedName(uri, hint)),
          ),
        );
      },
    }),
  );
  return {
    section: new ResourceRows(changed.event),
    templateSection: new TemplateRows(changed.event),
    dispose: () => disposables.dispose(),
  };
}
