import * as vscode from 'vscode';
import type { Event } from '../base/event';
import { plainLabel, revealHidden } from '../base/text';
import type { Resource } from '../mcp/protocol';
import type { Server } from '../mcp/server';
import { Command } from '../ui/ids';
import type { TreeNode, TreeSection } from '../ui/tree';
import { below, topLevel, type Folder, type Level } from './nesting';
import { createResourceItem } from './resourceItem';

/** A row of the tree that stands for a resource. */
export interface ResourceNode extends TreeNode {
  readonly server: Server;
  readonly resource: Resource;
}

/** True for rows that this section made for a resource. */
export function isResourceNode(value: unknown): value is ResourceNode {
  return typeof value === 'object' && value !== null && 'resource' in value && 'parent' in value;
}

/** The resources of a server as rows, nested by their URIs. */
export class ResourceRows implements TreeSection {
  readonly onDidChange: Event<TreeNode | Server>;

  constructor(onDidChange: Event<TreeNode | Server>) {
    this.onDidChange = onDidChange;
  }

  rows(server: Server, parent: TreeNode): readonly TreeNode[] {
    return this.level(topLevel(server.resources.items), server, parent, parent.id);
  }

  private level(level: Level, server: Server, parent: TreeNode, section: string): TreeNode[] {
    return [
      ...level.folders.map((folder) => this.folder(folder, server, parent, section)),
      ...level.leaves.map((resource) => this.leaf(resource, server, parent, section)),
    ];
  }

  private folder(folder: Folder, server: Server, parent: TreeNode, section: string): TreeNode {
    const id = `${section}/folder:${folder.prefix}`;
    const node: TreeNode = {
      id,
      parent,
      server,
      item() {
        const item = new vscode.TreeItem(
          plainLabel(folder.label),
          vscode.TreeItemCollapsibleState.Collapsed,
        );
        item.id = id;
        item.iconPath = vscode.ThemeIcon.Folder;
        item.tooltip = revealHidden(folder.prefix);
        item.contextValue = 'resourceFolder';
        return item;
      },
      children: () => this.level(below(folder), server, node, section),
    };
    return node;
  }

  private leaf(
    resource: Resource,
    server: Server,
    parent: TreeNode,
    section: string,
  ): ResourceNode {
    const id = `${section}/${resource.uri}`;
    const node: ResourceNode = {
      id,
      parent,
      server,
      resource,
      item() {
        const item = createResourceItem(resource, server);
        item.id = id;
        item.contextValue = 'resource';
        item.command = {
          command: Command.openResource,
          title: vscode.l10n.t('Open Resource'),
          arguments: [node],
        };
        return item;
      },
    };
    return node;
  }
}
