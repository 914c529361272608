import * as vscode from 'vscode';
import { errorMessage } from '../../base/errors';
import type { Server } from '../../mcp/server';
import { Command } from '../../ui/ids';
import { rowsPerPage, type TreeNode } from '../../ui/tree';
import {
  type TreeResource,
  type ResourceLevel,
  type UriFolder,
  below,
  directoryMembers,
} from './nesting';
import type { SavedResources } from '../live/savedResources';
import type { LiveResources } from '../live/liveResources';
import { type ViewOptions, sortLabels, sortResources } from './viewOptions';
import {
  createFolderNode,
  createNoteNode,
  createResourceNode,
  detailOf,
  folderOf,
  namesakes,
} from './resourceNodes';
import type { ResourceStore } from '../documents/resourceStore';

/** Where rows go: below `parent`, their ids beginning with `section`. */
export interface NodePlace {
  readonly server: Server;
  readonly parent: TreeNode;
  readonly section: string;
  /** True if each row names its server, because rows of several servers are shown side by side. */
  readonly mixed?: boolean;
  /** True if folders are expanded, except those that are read when they are expanded. */
  readonly opened?: boolean;
}

/** What rows are made from. */
export interface NodeSources {
  readonly store: ResourceStore;
  readonly live: LiveResources;
  readonly saved: SavedResources;
  readonly options: ViewOptions;
}

/** Makes the rows of resources and their folders; a long list comes in pages. */
export class NodeBuilder {
  private readonly sources: NodeSources;
  private readonly pages = new Map<string, number>();

  constructor(sources: NodeSources) {
    this.sources = sources;
  }

  /** Makes room for one more page below `parent`. */
  addPage(parent: TreeNode): void {
    this.pages.set(parent.id, this.pagesOf(parent) + 1);
  }

  /** Makes the rows of one level, folders first. */
  level({ folders, leaves }: ResourceLevel<TreeResource>, place: NodePlace): TreeNode[] {
    const { flat, sort } = this.sources.options;
    const alike = flat && !place.mixed ? namesakes(leaves, sort) : new Set<TreeResource>();
    const limit = this.pagesOf(place.parent) * rowsPerPage;
    const shownFolders = sortLabels(folders).slice(0, limit);
    const shown = sortResources(leaves, sort).slice(0, limit - shownFolders.length);
    const seen = new Map<string, number>();
    const nodes = [
      ...shownFolders.map((folder) => this.folder(folder, place)),
      ...shown.map((entry) => {
        const count = seen.get(entry.uri) ?? 0;
        seen.set(entry.uri, count + 1);
        // Two resources may have the same URI; their rows still need different ids.
        const section = count === 0 ? place.section : `${place.section}/${count}`;
        return this.leaf(entry, { ...place, section }, alike.has(entry) ? folderOf(entry.uri) : '');
      }),
    ];
    const hidden = folders.length + leaves.length - nodes.length;
    return hidden > 0 ? [...nodes, moreNote(place.parent, hidden)] : nodes;
  }

  /**
   * Makes the row of one resource, with its documents below if it turned out to have several; `folder` says where it
   * is, if that has to be said.
   */
  leaf(entry: TreeResource, place: NodePlace, folder = ''): TreeNode {
    const { store, live, saved, options } = this.sources;
    const server = entry.server ?? place.server;
    const ref = { serverId: server.id, uri: entry.uri };
    const several = entry.within ? [] : (store.peek(ref)?.documents ?? []);
    const target = entry.within
      ? { server, resource: entry.within.directory, document: entry.within.document }
      : { server, resource: entry };
    const detail = detailOf(entry, options.sort);
    return createResourceNode(target, entry, place, {
      looks: () => ({
        description: [place.mixed ? server.name : '', detail, folder].filter(Boolean).join(' · '),
        pinned: saved.isPinned(ref),
        changed: live.isChanged(ref),
      }),
      ...(several.length > 1 && {
        children: (node) =>
          several.map(({ name, uri, mimeType, bytes }) =>
            this.leaf(
              {
                uri,
                name,
                size: bytes.length,
                within: { directory: entry, document: name },
                ...(mimeType !== undefined && { mimeType }),
              },
              { ...place, server, parent: node, section: node.id },
            ),
          ),
      }),
    });
  }

  private folder(folder: UriFolder<TreeResource>, place: NodePlace): TreeNode {
    const server = folder.self?.server ?? place.server;
    return createFolderNode(folder, { ...place, server }, (node) => {
      const inside = { ...place, server, parent: node };
      return folder.self
        ? this.directory(folder, folder.self, inside)
        : this.level(below(folder), inside);
    });
  }

  // What a directory contains is known only once it is read, which is when it is expanded.
  private async directory(
    folder: UriFolder<TreeResource>,
    self: TreeResource,
    place: NodePlace,
  ): Promise<TreeNode[]> {
    const { server, parent } = place;
    const ref = { serverId: server.id, uri: self.uri };
    const listed = below(folder);
    if (server.state.kind !== 'running' && !this.sources.store.peek(ref))
      return [offNote(parent, server), ...this.level(listed, place)];
    try {
      const { documents } = await this.sources.store.read(ref);
      const { members, own } = directoryMembers(folder, documents);
      const level = below({ ...folder, members });
      return this.level({ ...level, leaves: [...own, ...level.leaves] }, place);
    } catch (error) {
      return [
        failureNote(parent, errorMessage(error, vscode.l10n.t)),
        ...this.level(listed, place),
      ];
    }
  }

  private pagesOf({ id }: TreeNode): number {
    return this.pages.get(id) ?? 1;
  }
}

function moreNote(parent: TreeNode, hidden: number): TreeNode {
  const text = vscode.l10n.t('Show More ({0} left)', String(hidden));
  return createNoteNode(parent, { key: 'more', text, icon: 'ellipsis' }, () => ({
    command: Command.showMoreResources,
    title: text,
    arguments: [parent],
  }));
}

function offNote(parent: TreeNode, server: Server): TreeNode {
  const text = vscode.l10n.t('Start the server to see what is in here');
  return createNoteNode(parent, { key: 'off', text, icon: 'play' }, () => ({
    command: Command.startServer,
    title: text,
    arguments: [server.id],
  }));
}

function failureNote(parent: TreeNode, reason: string): TreeNode {
  return createNoteNode(parent, { key: 'failure', text: reason, icon: 'error' }, () => ({
    command: Command.refreshResource,
    title: vscode.l10n.t('Try Again'),
    arguments: [parent],
  }));
}
