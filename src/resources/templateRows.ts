import * as vscode from 'vscode';
import type { Event } from '../base/event';
import { plainLabel, revealHidden } from '../base/text';
import { displayName, type ResourceTemplate } from '../mcp/protocol';
import type { Server } from '../mcp/server';
import type { TreeNode, TreeSection } from '../ui/tree';

/** A row of the tree that stands for a resource template. */
export interface TemplateNode extends TreeNode {
  readonly server: Server;
  readonly template: ResourceTemplate;
}

/** The resource templates of a server as rows. */
export class TemplateRows implements TreeSection {
  readonly onDidChange: Event<TreeNode | Server>;

  constructor(onDidChange: Event<TreeNode | Server>) {
    this.onDidChange = onDidChange;
  }

  rows(server: Server, parent: TreeNode): readonly TreeNode[] {
    return server.resourceTemplates.items.map((template) => row(template, server, parent));
  }
}

function row(template: ResourceTemplate, server: Server, parent: TreeNode): TemplateNode {
  const id = `${parent.id}/${template.uriTemplate}`;
  return {
    id,
    parent,
    server,
    template,
    item() {
      const item = new vscode.TreeItem(plainLabel(displayName(template)));
      item.id = id;
      item.description = plainLabel(template.uriTemplate);
      item.iconPath = new vscode.ThemeIcon('symbol-parameter');
      item.tooltip = revealHidden(
        [template.name, template.uriTemplate, template.description].filter(Boolean).join('\n'),
      );
      item.contextValue = 'resourceTemplate';
      return item;
    },
  };
}
