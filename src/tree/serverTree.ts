import * as vscode from 'vscode';
import { Timer } from '../base/async';
import { type Disposable, DisposableStore, toDisposable } from '../base/disposable';
import type { Event } from '../base/event';
import type { Configuration } from '../config/configuration';
import { type ListKind, listKinds } from '../mcp/lists/listSpecs';
import type { Server, Servers } from '../mcp/server';
import { obstacleOf } from '../mcp/serverState';
import { OpenRows } from '../ui/rows/openRows';
import { isServerNode, type TreeNode } from '../ui/tree';
import { onDidChangeServer, watchServers } from '../ui/watchServers';
import { createDisabledNode, createProblemNode, createDuplicateNode } from './unusedNodes';
import {
  type Sections,
  type ServerNode,
  type ServerNotes,
  createServerNode,
  isBare,
} from './serverNode';
import { dimmed, shownState } from './shownState';
import { remoteMenuCommand } from '../ui/editorCommands';
import { needsProcessScheme } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import { createMessageNode } from './messageNode';
import { throughRowClicks } from '../ui/rows/rowClicks';

/** Makes the row of a server that runs as a process, which this window cannot start. */
function unavailableServerNode(server: Server): TreeNode {
  const id = `server:${server.id}`;
  const reason = vscode.l10n.t('It runs as a process, and this window cannot start any.');
  const node: TreeNode = {
    id,
    parent: undefined,
    server,
    isServer: true,
    item: () => {
      const { text, label: _, ...sign } = shownState(server.state);
      return treeRow({
        id,
        kind: vscode.l10n.t('Server'),
        label: server.name,
        description: `${text} · ${server.definition.source.label}`,
        state: text,
        tooltip: [server.name, reason, server.definition.source.label].join('\n'),
        ...sign,
        below: 'expanded',
        contextValue: 'server.needsProcess',
        resourceUri: vscode.Uri.from({ scheme: needsProcessScheme, path: `/${server.id}` }),
      });
    },
    children: () => [
      createMessageNode(node, {
        icon: 'remote',
        text: vscode.l10n.t('Open in a Desktop or Remote Window'),
        detail: reason,
        command: { command: remoteMenuCommand, title: reason },
      }),
    ],
  };
  return node;
}

/** Grays out the names of servers that this window cannot start. */
function greyOut(): vscode.Disposable {
  return vscode.window.registerFileDecorationProvider({
    provideFileDecoration: ({ scheme }) =>
      scheme === needsProcessScheme ? { color: new vscode.ThemeColor(dimmed) } : undefined,
  });
}

/** A row above the servers: that of the workspace's roots, or that of agents. */
export interface TopNode {
  readonly node: TreeNode;
  /** False while there is nothing to show; always shown if absent. */
  readonly isShown?: boolean;
  /** Fires when it, or the rows below it, change. */
  readonly onDidChange: Event<void>;
}

const batchMs = 30;

/** The sidebar's tree: the workspace's roots, agents, the servers, configuration problems, and disabled or repeated servers. */
export class ServerTree implements vscode.TreeDataProvider<TreeNode>, Disposable {
  private readonly changed = new vscode.EventEmitter<TreeNode[] | undefined>();
  readonly onDidChangeTreeData = this.changed.event;
  private readonly found = new vscode.EventEmitter<TreeNode>();
  /** Fires with a row that should be opened and shown. */
  readonly onDidFind = this.found.event;
  private readonly shown = new vscode.EventEmitter<TreeNode>();
  /** Fires with a row that should be selected. */
  readonly onDidShow = this.shown.event;
  private wanted: string | undefined;
  /** Which rows are open. */
  readonly openRows: OpenRows;
  private readonly store = new DisposableStore();
  private readonly servers: Servers;
  private readonly configuration: Configuration;
  private readonly sections: Sections;
  private readonly notes: ServerNotes;
  private readonly tops: readonly TopNode[];
  private readonly nodes = new Map<Server, TreeNode & Partial<ServerNode>>();
  private readonly dirty = new Set<TreeNode | undefined>();
  private readonly opening = new Set<TreeNode>();
  private readonly flushTimer = new Timer(() => this.flush());

  constructor(
    servers: Servers,
    configuration: Configuration,
    tops: readonly TopNode[],
    sections: Sections,
    notes: ServerNotes,
    openRows = new OpenRows(),
  ) {
    this.openRows = openRows;
    this.servers = servers;
    this.configuration = configuration;
    this.sections = sections;
    this.notes = notes;
    this.tops = tops;
    this.store.add(this.changed);
    this.store.add(this.found);
    this.store.add(this.shown);
    this.store.add(this.flushTimer);
    this.store.add(greyOut());
    this.store.add(watchServers(servers, (server) => this.addServer(server)));
    this.store.add(configuration.onDidChange(() => this.refresh(undefined)));
    this.store.add(
      notes.onDidChange((what) => ('item' in what ? this.refresh(what) : this.refreshServer(what))),
    );
    for (const top of tops) this.store.add(this.followTop(top));
    for (const kind of listKinds) {
      const { onDidChange, onDidFind, onDidSearch } = sections[kind];
      if (onDidChange) this.store.add(onDidChange((what) => this.refreshNode(what, kind)));
      if (onDidFind) this.store.add(onDidFind((server) => this.open(server, kind)));
      if (onDidSearch) this.store.add(onDidSearch((isOn) => this.search(isOn)));
    }
  }

  getTreeItem(node: TreeNode): vscode.TreeItem {
    return throughRowClicks(this.openRows.item(node));
  }

  getParent(node: TreeNode): TreeNode | undefined {
    return node.parent;
  }

  async getChildren(node?: TreeNode): Promise<TreeNode[]> {
    if (node) return [...((await node.children?.()) ?? [])];
    await this.configuration.ready;
    const { problems, disabled, duplicates } = this.configuration.current;
    const servers = this.servers.all.flatMap((server) => this.nodes.get(server) ?? []);
    // With an empty tree, the editor shows the welcome view.
    if (servers.length + problems.length + disabled.length === 0) return [];
    return [
      ...this.tops.flatMap(({ node: top, isShown = true }) => (isShown ? [top] : [])),
      ...servers,
      ...problems.map(createProblemNode),
      ...disabled.map(createDisabledNode),
      ...duplicates.map(createDuplicateNode),
    ];
  }

  /** Has the row of a server selected, once there is one. */
  show(serverId: string): void {
    this.wanted = serverId;
    this.refresh(undefined);
  }

  /** Shows the next page of a long list below a row. */
  showMore(node: TreeNode): void {
    node.showMore?.();
    this.refresh(node);
  }

  dispose(): void {
    this.store.dispose();
  }

  private followTop(top: TopNode): Disposable {
    let wasShown = top.isShown;
    return top.onDidChange(() => {
      this.refresh(top.isShown === wasShown ? top.node : undefined);
      wasShown = top.isShown;
    });
  }

  private addServer(server: Server): Disposable {
    const { state } = server;
    const node =
      obstacleOf(state) === 'needsProcess'
        ? unavailableServerNode(server)
        : createServerNode(server, this.sections, this.notes);
    this.nodes.set(server, node);
    this.refresh(undefined);
    let wasBare = isBare(server);
    const watch = onDidChangeServer(server, () => {
      // The editor keeps a row open or closed as it was, whatever its item says later.
      const isBareNow = isBare(server);
      if (wasBare && !isBareNow && !this.openRows.wasClosed(node)) this.opening.add(node);
      wasBare = isBareNow;
      this.refresh(node);
    });
    return toDisposable(() => {
      watch.dispose();
      this.opening.delete(node);
      this.nodes.delete(server);
      if (!this.servers.get(server.id)) this.openRows.forget(node);
      this.refresh(undefined);
    });
  }

  private refreshServer(server: Server | undefined): void {
    const node = server && this.nodes.get(server);
    if (node) this.refresh(node);
  }

  private refreshNode(what: TreeNode | Server, kind: ListKind): void {
    const node = 'item' in what ? what : this.sectionOf(what, kind);
    if (node) this.refresh(node);
  }

  private open(server: Server, kind: ListKind): void {
    const section = this.sectionOf(server, kind);
    if (!section) return;
    this.openRows.noteFound(section);
    // Not before it is redrawn: folders that the editor opened until then would look empty.
    this.opening.add(section);
  }

  private search(isOn: boolean): void {
    if (isOn) return this.openRows.beginSearch();
    // Sections that were found and are not open yet stay closed; servers that now have something to show still open.
    for (const node of this.opening) if (!isServerNode(node)) this.opening.delete(node);
    void this.closeFound();
  }

  private async closeFound(): Promise<void> {
    for (const { parent } of await this.openRows.endSearch()) this.refresh(parent);
  }

  private sectionOf(server: Server, kind: ListKind): TreeNode | undefined {
    return this.nodes.get(server)?.sections?.[kind];
  }

  private refresh(node: TreeNode | undefined): void {
    this.dirty.add(node);
    if (!this.flushTimer.pending) this.flushTimer.start(batchMs);
  }

  private flush(): void {
    const dirty = [...this.dirty];
    this.dirty.clear();
    if (dirty.includes(undefined)) this.changed.fire(undefined);
    else
      this.changed.fire(
        dirty.filter((node) => node && !this.hasAncestor(node, dirty)) as TreeNode[],
      );
    const opening = [...this.opening];
    this.opening.clear();
    for (const node of opening) this.found.fire(node);
    const server = this.wanted === undefined ? undefined : this.servers.get(this.wanted);
    const node = server && this.nodes.get(server);
    if (node) {
      this.wanted = undefined;
      this.shown.fire(node);
    }
    this.openRows.select();
  }

  private hasAncestor(node: TreeNode, among: readonly (TreeNode | undefined)[]): boolean {
    const { parent } = node;
    return parent !== undefined && (among.includes(parent) || this.hasAncestor(parent, among));
  }
}
