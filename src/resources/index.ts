import type * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../base/disposable';
import type { Root } from '../mcp/protocol/types';
import type { Servers } from '../mcp/server';
import type { TreeNode, TreeSection } from '../ui/tree';
import type { WorkbenchWindow } from '../ui/window';
import { extendMarkdownIt, registerDocumentLinks } from './documents/safeMarkdown';
import { createDragController, registerDropIntoEditor } from './tree/dragAndDrop';
import { registerFileSystem } from './documents/fileSystem';
import { SavedResources } from './live/savedResources';
import { LiveResources } from './live/liveResources';
import { registerDecorations, watchOpenResources } from './live/openTabs';
import { registerResourceCommands } from './commands/resourceCommands';
import { ResourceSection } from './tree/resourceSection';
import { ResourceStore } from './documents/resourceStore';
import { TemplateSection } from './tree/templateSection';
import { showOptions } from './tree/viewCommands';
import { ViewOptions } from './tree/viewOptions';
import type { Apps } from '../contracts/toolApps';
import type { ResourceUris } from '../ui/resourceUri';
import { uriOf } from './targets';

/** The parts of this feature that the rest of the product uses. */
export interface Resources extends ResourceUris, Disposable {
  readonly section: TreeSection;
  readonly templateSection: TreeSection;
  /** Returns the nodes of the resources that lie inside a root. */
  readonly nodesInRoot: (root: Root, parent: TreeNode) => readonly TreeNode[];
  readonly dragAndDrop: vscode.TreeDragAndDropController<TreeNode>;
  /** A plugin for the editor's Markdown preview. */
  readonly extendMarkdownIt: typeof extendMarkdownIt;
  /** Keeps nothing of what a server said of its resources. */
  readonly forget: (serverId: string) => Promise<void>;
}

/** Registers resources as rows of the tree and as documents of the editor. */
export function register(
  deps: WorkbenchWindow & {
    readonly servers: Servers;
    readonly apps: Pick<Apps, 'openUri'>;
  },
): Resources {
  const { servers, context, logs, writer, questions, apps, askFilter } = deps;
  const disposables = new DisposableStore();
  const store = disposables.add(new ResourceStore(servers));
  const saved = disposables.add(new SavedResources(context.workspaceState));
  const options = disposables.add(new ViewOptions(context.workspaceState));
  const live = disposables.add(new LiveResources(servers, store, logs.extension));
  const sources = { store, live, saved, options };
  const section = disposables.add(new ResourceSection(servers, sources));
  const templateSection = disposables.add(new TemplateSection(servers, sources));
  disposables.add(registerFileSystem(servers, store));
  disposables.add(watchOpenResources(live, saved));
  disposables.add(registerDecorations(live, servers));
  disposables.add(showOptions(options));
  disposables.add(registerDocumentLinks(servers));
  disposables.add(registerDropIntoEditor());
  const parts = { ...sources, servers, logs, writer, section, questions };
  disposables.add(registerResourceCommands({ ...parts, apps, askFilter }));
  return {
    section,
    templateSection,
    nodesInRoot: (root, parent) => section.nodesInRoot(root, parent),
    dragAndDrop: createDragController({ servers, store, logs, writer, questions }),
    extendMarkdownIt,
    forget(serverId) {
      store.forgetOf(serverId);
      return saved.forgetOf(serverId);
    },
    uriOf: (serverId, uri) => uriOf({ serverId, uri }, servers, store),
    dispose: () => disposables.dispose(),
  };
}
