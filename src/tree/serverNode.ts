import * as vscode from 'vscode';
import type { Event } from '../base/event';
import { inputsIn } from '../config/add/importedServer';
import type { ListKind } from '../mcp/lists/listSpecs';
import type { Server } from '../mcp/server';
import { treeRow } from '../ui/rows/treeRow';
import type { TreeNode, TreeSection } from '../ui/tree';
import { createMessageNode } from './messageNode';
import { createSectionNode, hasSections, isSectionShown, sectionKinds } from './sectionNode';
import { messagesOf } from './serverMessages';
import { describe, tooltipOf } from './serverWords';
import { shownState, type StartHolds } from './shownState';

/** The rows that features contribute for each list of a server. */
export type Sections = Readonly<Record<ListKind, TreeSection>>;

/** The row of a server; `sections` are the rows below it that stand for its lists. */
export interface ServerNode extends TreeNode {
  readonly server: Server;
  readonly sections: Readonly<Record<ListKind, TreeNode>>;
}

/** What a feature adds to the rows of servers besides their lists. */
export interface ServerNotes {
  /** Returns the rows to show before those of the lists. */
  rows(server: Server, parent: TreeNode): readonly TreeNode[];
  /** Returns the marks that the menus of the server's row depend on. */
  marks(server: Server): readonly string[];
  /** Fires with the server whose rows or marks changed. */
  readonly onDidChange: Event<Server>;
}

/** Makes the row of `server`. */
export function createServerNode(
  server: Server,
  features: Sections,
  notes: ServerNotes,
  holds: StartHolds,
): ServerNode {
  const id = `server:${server.id}`;
  const node: ServerNode = {
    id,
    parent: undefined,
    server,
    get sections() {
      return sections;
    },
    item: () => {
      const { label, text, ...sign } = shownState(server, holds);
      return treeRow({
        id,
        kind: vscode.l10n.t('Server'),
        label: server.name,
        description: describe(server, text),
        state: label,
        tooltip: tooltipOf(server, text),
        ...sign,
        below: isBare(server) ? 'collapsed' : 'expanded',
        contextValue: contextOf(server, notes.marks(server)),
      });
    },
    children: () => [
      ...messagesOf(server, holds).map((message) => createMessageNode(node, message, server)),
      ...notes.rows(server, node),
      ...sectionKinds.filter((kind) => isSectionShown(server, kind)).map((kind) => sections[kind]),
    ],
  };
  const sections = Object.fromEntries(
    sectionKinds.map((kind) => [kind, createSectionNode(kind, features[kind], server, node)]),
  ) as ServerNode['sections'];
  return node;
}

/** True for a server that has not yet shown what it offers: its row has at most one action below it. */
export function isBare(server: Server): boolean {
  const { kind } = server.state;
  return (kind === 'stopped' || kind === 'starting') && !hasSections(server);
}

/** Returns the context value that the menus of a server's row depend on. */
function contextOf(
  { state, isSignedIn, definition: { config, source } }: Server,
  noted: readonly string[],
): string {
  const marks = [
    'server',
    state.kind,
    ...(source.isIncluded ? ['included'] : []),
    ...(inputsIn(config).length > 0 ? ['inputs'] : []),
    ...noted,
    ...(isSignedIn ? ['signedIn'] : []),
  ];
  return marks.join('.');
}
