import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { isUriInside } from '../../base/uri/fileAddress';
import type { Resource, Root } from '../../mcp/protocol/types';
import type { Server, Servers } from '../../mcp/server';
import { Command } from '../../ui/ids';
import type { TreeNode, TreeSection } from '../../ui/tree';
import { type TreeResource, type ResourceLevel, below, topLevel } from './nesting';
import { containsWords } from './match';
import { createNoteNode } from './resourceNodes';
import { refKey } from '../documents/resourceStore';
import type { ResourceRef } from '../../ui/resourceUri';
import { NodeBuilder, type NodePlace, type NodeSources } from './nodeBuilder';

/** Folders are expanded if at most this many resources match a filter. */
const maxOpened = 100;

/** The resources of a server as rows, nested by their URIs or in one list. */
export class ResourceSection implements TreeSection, Disposable {
  private readonly servers: Servers;
  private readonly sources: NodeSources;
  private readonly builder: NodeBuilder;
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new Emitter<TreeNode | Server>());
  private readonly counts = new Map<string, number>();
  readonly onDidChange = this.changed.event;
  private readonly found = this.disposables.add(new Emitter<Server>());
  /** The servers of which the filter has found something since it was set. */
  private readonly opened = new Set<Server>();
  readonly onDidFind = this.found.event;
  private readonly searched = this.disposables.add(new Emitter<boolean>());
  readonly onDidSearch = this.searched.event;
  private isFiltered = false;
  private filters = 0;
  readonly hasOwnPages = true;

  constructor(servers: Servers, sources: NodeSources) {
    this.servers = servers;
    this.sources = sources;
    this.builder = new NodeBuilder(sources);
    const { live, saved, options, store } = sources;
    this.disposables.add(saved.onDidChange((serverId) => this.refreshServer(serverId)));
    this.disposables.add(live.onDidChangeMark(({ serverId }) => this.refreshServer(serverId)));
    this.disposables.add(store.onDidRead((ref) => this.count(ref)));
    this.disposables.add(
      options.onDidChange(() => {
        for (const server of servers.all) this.changed.fire(server);
        this.followFilter();
        this.openFound();
      }),
    );
  }

  nodes(server: Server, parent: TreeNode): readonly TreeNode[] {
    const { saved, options } = this.sources;
    const place: NodePlace = { server, parent, section: parent.id };
    const listed = server.resources.items;
    const pinned = saved.pinned().filter((one) => one.serverId === server.id && !one.template);
    const filter = options.filterOf(server.id);
    const matching = this.matching(server);
    // Those that are pinned stand on top, and only there.
    const pins = new Set(pinned.map(({ uri }) => uri));
    const shown = matching.filter(({ uri }) => !pins.has(uri));
    // The editor expands a row by itself only if the row is new to it.
    const opened = filter !== '' && shown.length <= maxOpened;
    const found = {
      ...place,
      ...(opened && { opened, section: `${place.section}/found${this.filters}` }),
    };
    const level: ResourceLevel<TreeResource> = options.flat
      ? { folders: [], leaves: shown }
      : topLevel<TreeResource>(shown);
    const note = filter ? [filterNote(place, filter, matching.length)] : [];
    const pinnedNodes = pinned
      .map((one) => listed.find(({ uri }) => uri === one.uri) ?? one)
      .filter((one) => containsWords(one, filter))
      .map((one) => this.builder.leaf(one, { ...place, section: `${place.section}/pinned` }));
    return [...note, ...pinnedNodes, ...this.builder.level(level, found)];
  }

  /** Returns nodes of the resources of all servers that lie inside a root, nested by path, each with its server's name. */
  nodesInRoot({ uri }: Root, parent: TreeNode): readonly TreeNode[] {
    const [first] = this.servers.all;
    if (!first || !uri.startsWith('file:')) return [];
    const members = this.servers.all.flatMap((server) =>
      server.resources.items
        .filter((one) => isUriInside(one.uri, uri))
        .map((one): TreeResource => ({ ...one, server })),
    );
    const prefix = uri.endsWith('/') ? uri : `${uri}/`;
    const place = { server: first, parent, section: parent.id, mixed: true };
    return this.builder.level(below({ members, prefix }), place);
  }

  /** Shows the next page of a long list below `parent`. */
  showMore(parent: TreeNode): void {
    this.builder.addPage(parent);
    this.changed.fire(parent);
  }

  /** Recreates the nodes below a node. */
  refresh(node: TreeNode): void {
    this.changed.fire(node);
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private matching(server: Server): readonly Resource[] {
    const filter = this.sources.options.filterOf(server.id);
    const { items } = server.resources;
    return filter ? items.filter((one) => containsWords(one, filter)) : items;
  }

  private followFilter(): void {
    const isFiltered = this.sources.options.filter.text !== '';
    if (isFiltered === this.isFiltered) return;
    this.isFiltered = isFiltered;
    // Folders that the user collapsed in one filter are expanded in the next, as rows that are new to the editor.
    if (isFiltered) this.filters += 1;
    this.searched.fire(isFiltered);
  }

  // Once per filter: what the user then collapses stays collapsed. The first server comes last, so that it is in view.
  private openFound(): void {
    const { options } = this.sources;
    if (!options.filter.text) return this.opened.clear();
    for (const server of this.servers.all.toReversed()) {
      if (this.opened.has(server) || !options.filterOf(server.id)) continue;
      if (this.matching(server).length === 0) continue;
      this.opened.add(server);
      this.found.fire(server);
    }
  }

  private refreshServer(serverId: string): void {
    const server = this.servers.get(serverId);
    if (server) this.changed.fire(server);
  }

  // A resource with several documents is a folder, which is known only once it has been read.
  private count(ref: ResourceRef): void {
    const key = refKey(ref);
    const now = this.sources.store.peek(ref)?.documents.length ?? 0;
    const before = this.counts.get(key) ?? 1;
    // Any number of resources may be read, but few of them are folders.
    if (now > 1) this.counts.set(key, now);
    else this.counts.delete(key);
    if (now !== before && (now > 1 || before > 1)) this.refreshServer(ref.serverId);
  }
}

function filterNote({ parent, server }: NodePlace, filter: string, shown: number): TreeNode {
  const total = server.resources.items.length;
  const text = vscode.l10n.t('“{0}”: {1} of {2}', filter, String(shown), String(total));
  const tooltip = vscode.l10n.t('Select to show all resources again.');
  return createNoteNode(parent, { key: 'filter', text, tooltip, icon: 'filter-filled' }, () => ({
    command: Command.clearResourceFilter,
    title: vscode.l10n.t('Clear Resource Filter'),
  }));
}
