import * as vscode from 'vscode';
import { type ListKind, listTitles } from '../mcp/lists/listSpecs';
import type { Server } from '../mcp/server';
import { Command } from '../ui/ids';
import { treeRow } from '../ui/rows/treeRow';
import { rowsPerPage, type TreeNode, type TreeSection } from '../ui/tree';
import { createMessageNode, type RowMessage } from './messageNode';

/** The icon of each list's section, in the order in which the sections are shown. */
const icons: Readonly<Record<ListKind, string>> = {
  resources: 'library',
  resourceTemplates: 'symbol-parameter',
  prompts: 'comment-discussion',
  tools: 'tools',
  skills: 'mortar-board',
};

/** The lists of a server, in the order of their sections. */
export const sectionKinds = Object.keys(icons) as readonly ListKind[];

/** Makes the row above the entries of one list of a server, with its name, count and state. */
export function createSectionNode(
  kind: ListKind,
  section: TreeSection,
  server: Server,
  parent: TreeNode,
): TreeNode {
  const id = `${parent.id}/${kind}`;
  const list = server[kind];
  const icon = icons[kind];
  const title = listTitles[kind](vscode.l10n.t);
  let shown = rowsPerPage;
  const node: TreeNode = {
    id,
    parent,
    server,
    item: () =>
      treeRow({
        id,
        label: title,
        description: describe(server, kind),
        tooltip: [title, list.error, ...list.problems].filter(Boolean).join('\n\n'),
        icon,
        below: 'collapsed',
        contextValue: `section.${kind}`,
      }),
    children: () => {
      const hidden = section.hasOwnPages ? 0 : list.items.length - shown;
      return [
        ...listMessages(server, kind).map((message) => createMessageNode(node, message, server)),
        ...section.nodes(server, node, shown),
        ...(hidden > 0 ? [createMessageNode(node, moreMessage(node, hidden), server)] : []),
      ];
    },
    showMore: () => {
      shown += rowsPerPage;
    },
  };
  return node;
}

function moreMessage(node: TreeNode, hidden: number): RowMessage {
  const text = vscode.l10n.t('Show More ({0} left)', String(hidden));
  const command = { command: Command.showMoreRows, title: text, arguments: [node] };
  return { icon: 'ellipsis', text, command };
}

/** True if the section has something to show: entries, or the reason why there are none. */
export function isSectionShown(server: Server, kind: ListKind): boolean {
  const { items, error, problems } = server[kind];
  return items.length > 0 || error !== undefined || problems.length > 0;
}

/** True if any section of the server has something to show. */
export function hasSections(server: Server): boolean {
  return sectionKinds.some((kind) => isSectionShown(server, kind));
}

function listMessages(server: Server, kind: ListKind): RowMessage[] {
  const { error, problems } = server[kind];
  return [
    ...(error === undefined ? [] : [{ icon: 'error', text: error } as const]),
    ...(problems.length === 0
      ? []
      : [
          {
            icon: 'warning',
            text: vscode.l10n.t('{0} problems in this list', problems.length),
            detail: problems.join('\n'),
          } as const,
        ]),
  ];
}

function describe(server: Server, kind: ListKind): string {
  const { items, status } = server[kind];
  switch (status) {
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'stale':
      return vscode.l10n.t('{0} · the last refresh failed', items.length);
    case 'cached':
      return vscode.l10n.t('{0} · cached', items.length);
    case 'empty':
    case 'loading':
    case 'loaded':
      return String(items.length);
  }
}
