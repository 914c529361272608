import * as vscode from 'vscode';
import type { ListKind } from '../mcp/lists/listSpecs';
import { plainLabel, tooltipText } from '../base/text/text';
import type { Server } from '../mcp/server';
import type { ServerState } from '../mcp/serverState';
import { Command } from '../ui/ids';
import type { TreeNode, TreeSection } from '../ui/tree';
import { createMessageNode, type Message } from './messageNode';
import { createSectionNode, isSectionShown, sectionKinds } from './sectionNode';

/** The rows that features make for the lists of a server. */
export type Sections = Readonly<Record<ListKind, TreeSection>>;

/** The row of a server; `sections` are the rows below it that stand for its lists. */
export interface ServerNode extends TreeNode {
  readonly server: Server;
  readonly sections: Readonly<Record<ListKind, TreeNode>>;
}

/** Makes the row of `server`. */
export function createServerNode(server: Server, features: Sections): ServerNode {
  const id = `server:${server.id}`;
  const node: ServerNode = {
    id,
    parent: undefined,
    server,
    get sections() {
      return sections;
    },
    item() {
      const item = new vscode.TreeItem(
        plainLabel(server.name),
        vscode.TreeItemCollapsibleState.Expanded,
      );
      item.id = id;
      item.iconPath = iconOf(server.state);
      item.description = plainLabel(describe(server));
      item.tooltip = tooltipOf(server);
      item.contextValue = `server.${server.state.kind}${server.isSignedIn ? '.signedIn' : ''}`;
      return item;
    },
    children: () => [
      ...messagesOf(server).map((message) => createMessageNode(node, message, server)),
      ...sectionKinds.filter((kind) => isSectionShown(server, kind)).map((kind) => sections[kind]),
    ],
  };
  const sections = Object.fromEntries(
    sectionKinds.map((kind) => [kind, createSectionNode(kind, features[kind], server, node)]),
  ) as ServerNode['sections'];
  return node;
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

function describe({ state, definition }: Server): string {
  const place = definition.source.label;
  switch (state.kind) {
    case 'running':
      return [...hearingNote(state.deaf), place].join(' · ');
    case 'failed':
      return state.message;
    case 'stopped':
    case 'starting':
    case 'needsSignIn':
      return `${stateLabel(state)} · ${place}`;
  }
}

function hearingNote(deaf: 'some' | 'none' | undefined): readonly string[] {
  switch (deaf) {
    case undefined:
      return [];
    case 'some':
      return [vscode.l10n.t('Announces only some changes')];
    case 'none':
      return [vscode.l10n.t('Changes are not heard, trying again')];
  }
}

/** What stands in for the sections where there are none, or leads on from a failure. */
function messagesOf(server: Server): Message[] {
  const { state, id } = server;
  const action = (icon: Message['icon'], text: string, command: string): Message => ({
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
      return isEmpty ? [action('play', vscode.l10n.t('Start Server'), Command.startServer)] : [];
    case 'starting':
      return [];
    case 'failed':
      return [
        action('pulse', vscode.l10n.t('Diagnose Server…'), Command.diagnoseServer),
        action('output', vscode.l10n.t('Show Log'), Command.showServerLog),
        action('go-to-file', vscode.l10n.t('Open Configuration'), Command.openConfiguration),
      ];
    case 'needsSignIn': {
      const text = state.issuer
        ? vscode.l10n.t('Sign in at {0}', state.issuer)
        : vscode.l10n.t('Sign in');
      return [action('key', text, Command.signIn)];
    }
  }
}

function problemMessages(problems: readonly string[]): Message[] {
  const [first] = problems;
  if (first === undefined) return [];
  const text =
    problems.length === 1
      ? first
      : vscode.l10n.t('{0} problems with what the server sends', problems.length);
  return [{ icon: 'warning', text, detail: problems.join('\n') }];
}

function iconOf({ kind }: ServerState): vscode.ThemeIcon {
  switch (kind) {
    case 'stopped':
      return new vscode.ThemeIcon('circle-large-outline');
    case 'starting':
      return new vscode.ThemeIcon('loading~spin');
    case 'running':
      return new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('testing.iconPassed'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'needsSignIn':
      return new vscode.ThemeIcon('key', new vscode.ThemeColor('list.warningForeground'));
  }
}

function tooltipOf({ name, state, definition: { config, source } }: Server): string {
  const lines = [
    `${name} (${stateLabel(state)})`,
    config.type === 'stdio' ? [config.command, ...config.args].join(' ') : config.url,
    source.label,
  ];
  if (state.kind === 'failed')
    lines.push('', state.message, ...(state.detail ? [state.detail] : []));
  if (state.kind === 'running') {
    const { implementation, protocolVersion, instructions } = state.info;
    if (state.deaf === 'some')
      lines.push(
        vscode.l10n.t(
          'The server does not announce all changes: lists and resources may be out of date.',
        ),
      );
    if (state.deaf === 'none')
      lines.push(
        vscode.l10n.t(
          'The stream of its own messages broke and cannot be opened: lists and resources may be out of date. It is tried again and again.',
        ),
      );
    if (implementation) lines.push(`${implementation.name} ${implementation.version}`);
    lines.push(vscode.l10n.t('Protocol {0}', protocolVersion));
    if (instructions) lines.push(vscode.l10n.t('Says about itself: {0}', instructions));
  }
  return tooltipText(lines.join('\n'));
}
