import * as vscode from 'vscode';
import type { Event } from '../base/event';
import type { AskedStarts } from '../config/trust/askedStarts';
import { plainLabel } from '../base/text/text';
import { kindOf } from '../mcp/launch/launchKinds';
import type { ListKind } from '../mcp/lists/listSpecs';
import type { Server } from '../mcp/server';
import type { ConfinementLevel } from '../mcp/serverConfig';
import type { ServerState } from '../mcp/serverState';
import { manageWorkspaceTrustCommand } from '../ui/editorCommands';
import { Command } from '../ui/ids';
import { treeRow, type TreeRow } from '../ui/rows/treeRow';
import type { TreeNode, TreeSection } from '../ui/tree';
import { createMessageNode, type RowMessage } from './messageNode';
import { createSectionNode, isSectionShown, sectionKinds } from './sectionNode';

/** The rows that features make for the lists of a server. */
export type Sections = Readonly<Record<ListKind, TreeSection>>;

/** The row of a server; `sections` are the rows below it that stand for its lists. */
export interface ServerNode extends TreeNode {
  readonly server: Server;
  readonly sections: Readonly<Record<ListKind, TreeNode>>;
}

/** What a feature has to say of servers beside their lists. */
export interface ServerNotes {
  /** Rows before those of the lists. */
  rows(server: Server, parent: TreeNode): readonly TreeNode[];
  /** Marks that menus of the server's row go by. */
  marks(server: Server): readonly string[];
  /** Fires with the server whose rows or marks changed. */
  readonly onDidChange: Event<Server>;
}

/** Makes the row of `server`. */
export function createServerNode(
  server: Server,
  features: Sections,
  notes: ServerNotes,
  asked: Pick<AskedStarts, 'has'>,
): ServerNode {
  const id = `server:${server.id}`;
  const isAsked = () => server.state.kind === 'starting' && asked.has(server.id);
  const stateNow = () =>
    isAsked() ? vscode.l10n.t('Waiting for your answer') : stateLabel(server.state);
  const node: ServerNode = {
    id,
    parent: undefined,
    server,
    get sections() {
      return sections;
    },
    item: () =>
      treeRow({
        id,
        kind: vscode.l10n.t('Server'),
        label: server.name,
        description: describe(server, stateNow()),
        state: stateNow(),
        tooltip: tooltipOf(server, stateNow()),
        ...(isAsked() ? { icon: 'question' } : iconOf(server.state)),
        below: 'expanded',
        contextValue: contextOf(server, notes.marks(server)),
      }),
    children: () => [
      ...messagesOf(server).map((message) => createMessageNode(node, message, server)),
      ...notes.rows(server, node),
      ...sectionKinds.filter((kind) => isSectionShown(server, kind)).map((kind) => sections[kind]),
    ],
  };
  const sections = Object.fromEntries(
    sectionKinds.map((kind) => [kind, createSectionNode(kind, features[kind], server, node)]),
  ) as ServerNode['sections'];
  return node;
}

/** What the menus of a row go by. */
function contextOf(
  { state, isSignedIn, definition: { source } }: Server,
  noted: readonly string[],
): string {
  const marks = [
    'server',
    state.kind,
    ...(source.isIncluded ? ['included'] : []),
    ...noted,
    ...(isSignedIn ? ['signedIn'] : []),
  ];
  return marks.join('.');
}

/** The state of a server in a word or two, as its row shows it. */
export function stateLabel({ kind }: ServerState): string {
  switch (kind) {
    case 'stopped':
      return vscode.l10n.t('Stopped');
    case 'starting':
      return vscode.l10n.t('Starting…');
    case 'running':
      return vscode.l10n.t('Running');
    case 'failed':
      return vscode.l10n.t('Failed');
    case 'needsSignIn':
      return vscode.l10n.t('Sign-in needed');
  }
}

function describe({ state, definition }: Server, shownState: string): string {
  const place = definition.source.label;
  switch (state.kind) {
    case 'running':
      return [
        ...lostNote(state.notificationsLost),
        ...confinementNote(state.confinement),
        place,
      ].join(' · ');
    case 'failed':
      return state.message;
    case 'stopped':
    case 'starting':
    case 'needsSignIn': {
      const why = isRestricted({ definition }) ? [vscode.l10n.t('Workspace not trusted')] : [];
      return [shownState, ...why, ...unexpectedNote(state, 60), place].join(' · ');
    }
  }
}

function unexpectedNote(state: ServerState, maxLength: number): readonly string[] {
  if (state.kind !== 'starting' || state.unexpectedOutput === undefined) return [];
  const shown = plainLabel(state.unexpectedOutput, maxLength);
  return [vscode.l10n.t('printed “{0}”, which is not an MCP message', shown)];
}

function confinementNote(level: ConfinementLevel | undefined): readonly string[] {
  switch (level) {
    case undefined:
      return [];
    case 'whole':
      return [vscode.l10n.t('Confined')];
    case 'part':
      return [vscode.l10n.t('Partly confined')];
    case 'none':
      return [vscode.l10n.t('Unconfined')];
  }
}

/** True where it runs only once the user trusts the workspace. */
function isRestricted({ definition: { source } }: Pick<Server, 'definition'>): boolean {
  return !vscode.workspace.isTrusted && source.isOfWorkspace === true;
}

function lostNote(notificationsLost: 'some' | 'all' | undefined): readonly string[] {
  switch (notificationsLost) {
    case undefined:
      return [];
    case 'some':
      return [vscode.l10n.t('Announces only some changes')];
    case 'all':
      return [vscode.l10n.t('Not receiving updates. Reconnecting…')];
  }
}

/** What stands in for the sections where there are none, or leads on from a failure. */
function messagesOf(server: Server): RowMessage[] {
  const { state, id } = server;
  const action = (icon: RowMessage['icon'], text: string, command: string): RowMessage => ({
    icon,
    text,
    command: { command, title: text, arguments: [id] },
  });
  const isEmpty = !sectionKinds.some((kind) => isSectionShown(server, kind));
  switch (state.kind) {
    case 'running':
      return [
        ...problemMessages(state.problems ?? []),
        ...(isEmpty
          ? [
              {
                icon: 'info',
                text: vscode.l10n.t('Offers no resources, prompts or tools'),
              } as const,
            ]
          : []),
      ];
    case 'stopped':
      if (isRestricted(server))
        return [
          action('shield', vscode.l10n.t('Manage Workspace Trust'), manageWorkspaceTrustCommand),
        ];
      return isEmpty ? [action('play', vscode.l10n.t('Start Server'), Command.startServer)] : [];
    case 'starting':
      return [];
    case 'failed':
      return [
        action('pulse', vscode.l10n.t('Diagnose Server'), Command.diagnoseServer),
        action('output', vscode.l10n.t('Show Log'), Command.showServerLog),
        action('go-to-file', vscode.l10n.t('Open Configuration'), Command.openConfiguration),
      ];
    case 'needsSignIn': {
      const text = state.issuer
        ? vscode.l10n.t('Sign In at {0}', state.issuer)
        : vscode.l10n.t('Sign In');
      return [action('key', text, Command.signIn)];
    }
  }
}

function problemMessages(problems: readonly string[]): RowMessage[] {
  const [first] = problems;
  if (first === undefined) return [];
  const text =
    problems.length === 1
      ? first
      : vscode.l10n.t('{0} problems with what the server sends', problems.length);
  return [{ icon: 'warning', text, detail: problems.join('\n') }];
}

function iconOf({ kind }: ServerState): Pick<TreeRow, 'icon' | 'iconColor'> {
  switch (kind) {
    case 'stopped':
      return { icon: 'circle-large-outline' };
    case 'starting':
      return { icon: 'loading~spin' };
    case 'running':
      return { icon: 'pass-filled', iconColor: 'testing.iconPassed' };
    case 'failed':
      return { icon: 'error', iconColor: 'list.errorForeground' };
    case 'needsSignIn':
      return { icon: 'key', iconColor: 'list.warningForeground' };
  }
}

/** Where the server wrote one line only, which is in the message. */
function isSaid({ message, detail = '' }: { readonly message: string; readonly detail?: string }) {
  return message.includes(detail.trim());
}

function tooltipOf(
  { name, state, definition: { config, source } }: Server,
  shownState: string,
): string {
  const lines = [
    `${name} (${shownState})`,
    kindOf(config).line(config).join(' '),
    source.label,
    ...unexpectedNote(state, 1000),
  ];
  if (state.kind === 'failed')
    lines.push('', state.message, ...(isSaid(state) ? [] : [state.detail ?? '']));
  if (state.kind === 'running') {
    const { implementation, protocolVersion, instructions } = state.info;
    if (state.notificationsLost === 'some')
      lines.push(
        vscode.l10n.t(
          'The server does not announce all changes: lists and resources may be out of date.',
        ),
      );
    if (state.notificationsLost === 'all')
      lines.push(
        vscode.l10n.t('The notification stream was lost. Lists may be out of date. Retrying.'),
      );
    if (implementation) lines.push(`${implementation.name} ${implementation.version}`);
    lines.push(vscode.l10n.t('Protocol {0}', protocolVersion));
    if (instructions) lines.push(vscode.l10n.t('Instructions: {0}', instructions));
  }
  return lines.join('\n');
}
