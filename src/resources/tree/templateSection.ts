import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import { Emitter } from '../../base/event';
import { asideText } from '../../base/translate';
import { displayName, type ResourceTemplate } from '../../mcp/protocol/types';
import type { Server, Servers } from '../../mcp/server';
import { entryIcon } from '../../ui/entryIcon';
import { Command } from '../../ui/ids';
import { treeRow } from '../../ui/rows/treeRow';
import { isNodeOf, type TreeNode, type TreeSection } from '../../ui/tree';
import type { NodeSources } from './nodeBuilder';
import { createResourceNode, rowId } from './resourceNodes';

/** A row of the tree that stands for a resource template. */
export interface TemplateNode extends TreeNode {
  readonly server: Server;
  readonly template: ResourceTemplate;
}

/** True for rows of {@link TemplateSection} that stand for a template. */
export function isTemplateNode(value: unknown): value is TemplateNode {
  return isNodeOf(value, 'template', 'server');
}

/** The resource templates of a server as rows, each with its earlier results. */
export class TemplateSection implements TreeSection, Disposable {
  private readonly sources: NodeSources;
  private readonly disposables = new DisposableStore();
  private readonly changed = this.disposables.add(new Emitter<TreeNode | Server>());
  readonly onDidChange = this.changed.event;

  constructor(servers: Servers, sources: NodeSources) {
    this.sources = sources;
    const refresh = (serverId: string) => {
      const server = servers.get(serverId);
      if (server) this.changed.fire(server);
    };
    this.disposables.add(sources.saved.onDidChange(refresh));
    this.disposables.add(sources.live.onDidChangeMark(({ serverId }) => refresh(serverId)));
  }

  nodes(server: Server, parent: TreeNode, limit?: number): readonly TreeNode[] {
    const { items } = server.resourceTemplates;
    return items.slice(0, limit).map((template) => this.row(template, server, parent));
  }

  dispose(): void {
    this.disposables.dispose();
  }

  private row(template: ResourceTemplate, server: Server, parent: TreeNode): TemplateNode {
    const id = rowId(parent.id, template.uriTemplate);
    const results = this.sources.saved.resultsOf(server.id, template.uriTemplate);
    const node: TemplateNode = {
      id,
      parent,
      server,
      template,
      item: () =>
        treeRow({
          id,
          kind: vscode.l10n.t('Resource Template'),
          label: displayName(template),
          description: template.uriTemplate,
          tooltip: describeTemplate(template, server),
          icon: entryIcon(template, new vscode.ThemeIcon('symbol-parameter')),
          below: results.length > 0 ? 'collapsed' : undefined,
          contextValue: 'resourceTemplate',
          command: {
            command: Command.openResourceTemplate,
            title: vscode.l10n.t('Open with Values'),
            arguments: [node],
          },
        }),
      children: () => this.results(node),
    };
    return node;
  }

  private results(parent: TemplateNode): TreeNode[] {
    const { saved, live } = this.sources;
    const { server, template } = parent;
    return saved.resultsOf(server.id, template.uriTemplate).map((resource) =>
      createResourceNode(
        { server, resource },
        resource,
        { parent, section: parent.id },
        {
          looks: () => ({
            description: resource.uri,
            pinned: saved.isPinned(resource),
            changed: live.isChanged(resource),
            remembered: true,
          }),
        },
      ),
    );
  }
}

function describeTemplate(template: ResourceTemplate, { name: serverName }: Server): string {
  const { name, title, uriTemplate, mimeType, description } = template;
  const lines = [
    title && title !== name ? asideText(title, name, vscode.l10n.t) : name,
    uriTemplate,
    [serverName, mimeType].filter(Boolean).join(' · '),
    description ? `\n${description}` : '',
  ];
  return lines.filter(Boolean).join('\n');
}
