import * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable';
import type { Event } from '../base/event';
import { inputsIn } from '../config/add/importedServer';
import type { ListKind } from '../mcp/lists/listSpecs';
import type { Server } from '../mcp/server';
import { treeRow } from '../ui/rows/treeRow';
import type { TreeNode, TreeSection } from '../ui/tree';
import { type RowMessage, createMessageNode } from './messageNode';
import { createSectionNode, hasSections, isSectionShown, sectionKinds } from './sectionNode';
import { shownState } from './shownState';
import { manageWorkspaceTrustCommand } from '../ui/editorCommands';
import { Command } from '../ui/ids';
import { addressLabel } from '../base/text/address';
import { plainLabel } from '../base/text/text';
import { launchLine } from '../config/launch/launch';
import type { ConfinementLevel } from '../mcp/serverConfig';
import {
  capabilityNames,
  withoutText,
  type ServerState,
  type SignInExtent,
  type SignInNeed,
  sessionInfo,
} from '../mcp/serverState';
import { asideText, listText, pairText } from '../base/translate';

/**
 * Returns the text after a server's name on its row; `shown`, its state in words, is left out if it runs or has failed.
 */
function describe({ state, definition }: Server, shown: string): string {
  const place = definition.source.label;
  switch (state.kind) {
    case 'running':
      return [
        ...lostNote(state.notificationsLost),
        ...confinementNote(state.confinement),
        place,
      ].join(' · ');
    case 'failed':
      return state.short ?? state.message;
    case 'stopped':
    case 'starting':
    case 'reconnecting':
    case 'needsSignIn':
      return [shown, ...unexpectedNote(state, 60), place].join(' · ');
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

function problemLines({ problem }: SignInNeed): readonly string[] {
  return problem === undefined ? [] : ['', problem];
}

function extentText({ address, isWider }: SignInExtent): string {
  const label = addressLabel(address);
  return isWider
    ? vscode.l10n.t('The sign-in is valid for all of {0}', label)
    : vscode.l10n.t('The sign-in is valid for {0}', label);
}

function unexplainedText(): string {
  return vscode.l10n.t(
    'The server refuses access (HTTP status 401) and names no way to sign in. It may want a header, such as an API key: add it to "headers" in its configuration.',
  );
}

/** Returns everything to say about a server and its state, one item per line. */
function tooltipOf(
  { name, state, validFor, definition: { config, source, without = [] } }: Server,
  shown: string,
): string {
  const lines = [
    asideText(name, shown, vscode.l10n.t),
    launchLine(config),
    source.label,
    ...unexpectedNote(state, 1000),
  ];
  if (state.kind === 'failed')
    lines.push('', state.message, ...(isSaid(state) ? [] : [state.detail ?? '']));
  if (state.kind === 'needsSignIn')
    lines.push(...(state.isUnexplained ? ['', unexplainedText()] : []), ...problemLines(state));
  if (state.kind === 'reconnecting')
    lines.push(
      '',
      state.message,
      vscode.l10n.t('It is asked again until it answers. What is shown of it may be out of date.'),
    );
  if (state.kind === 'running') {
    const { implementation, protocolVersion, capabilities, instructions } = state.info;
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
    lines.push(...capabilitiesText(vscode.l10n.t('Capabilities'), capabilities));
    lines.push(...capabilitiesText(vscode.l10n.t('Client capabilities'), state.declared ?? {}));
    if (without.length > 0) lines.push(withoutText(without, vscode.l10n.t));
    if (validFor !== undefined) lines.push(extentText(validFor));
    if (instructions) lines.push(vscode.l10n.t('Instructions: {0}', instructions));
  }
  return lines.join('\n');
}

/** Says what a server or this client declared, if anything. */
function capabilitiesText(title: string, capabilities: object): readonly string[] {
  const { t } = vscode.l10n;
  const declared = capabilityNames(capabilities, t);
  return declared.length === 0 ? [] : [pairText(title, listText(declared, t), t)];
}

function lostNote(notificationsLost: 'some' | 'all' | undefined): readonly string[] {
  switch (notificationsLost) {
    case undefined:
      return [];
    case 'some':
      return [vscode.l10n.t('Announces only some changes')];
    case 'all':
      return [vscode.l10n.t('Not receiving updates')];
  }
}

/** True if the message already contains what the server wrote. */
function isSaid({ message, detail = '' }: { readonly message: string; readonly detail?: string }) {
  return message.includes(detail.trim());
}

/** Returns the messages below a server: its problems, what to do next, or that it offers nothing. */
export function messagesOf(server: Server): RowMessage[] {
  const { state, id, definition } = server;
  const action = (icon: RowMessage['icon'], text: string, command: string): RowMessage => ({
    icon,
    text,
    command: { command, title: text, arguments: [id] },
  });
  const isEmpty = !hasSections(server);
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
    case 'reconnecting':
      return [
        { icon: 'warning', text: state.message },
        action('debug-restart', vscode.l10n.t('Restart Server'), Command.restartServer),
        action('output', vscode.l10n.t('Show Log'), Command.showServerLog),
      ];
    case 'stopped':
      if (state.why === 'restricted')
        return [
          action('shield', vscode.l10n.t('Manage Workspace Trust'), manageWorkspaceTrustCommand),
        ];
      return isEmpty ? [action('play', vscode.l10n.t('Start Server'), Command.startServer)] : [];
    case 'starting':
      return state.isWaiting
        ? [action('question', vscode.l10n.t('Show Question'), Command.showQuestions)]
        : [];
    case 'failed':
      return [
        action('pulse', vscode.l10n.t('Diagnose Start and Connection'), Command.diagnoseServer),
        action('output', vscode.l10n.t('Show Log'), Command.showServerLog),
        action('go-to-file', vscode.l10n.t('Open Configuration'), Command.openConfiguration),
        ...(inputsIn(definition.config).length > 0
          ? [action('edit', vscode.l10n.t('Change Inputs…'), Command.changeInputs)]
          : []),
      ];
    case 'needsSignIn': {
      const text = state.issuer
        ? vscode.l10n.t('Sign In at {0}', addressLabel(state.issuer))
        : vscode.l10n.t('Sign In');
      return [
        ...(state.isUnexplained
          ? [action('go-to-file', vscode.l10n.t('Add a Header…'), Command.openConfiguration)]
          : []),
        action('key', text, Command.signIn),
      ];
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

/** The rows that features contribute for each list of a server. */
export type Sections = Readonly<Record<ListKind, TreeSection>>;

/** The row of a server; `sections` are the rows below it that stand for its lists. */
export interface ServerNode extends TreeNode {
  readonly server: Server;
  readonly isServer: true;
  readonly sections: Readonly<Record<ListKind, TreeNode>>;
}

/** What a feature adds to the rows of servers besides their lists. */
export interface ServerNotes {
  /** Returns the rows to show before those of the lists. */
  nodes(server: Server, parent: TreeNode): readonly TreeNode[];
  /** Returns the rows to show after those of the lists, if there are any. */
  last?(server: Server, parent: TreeNode): readonly TreeNode[];
  /** Returns the marks that the menus of the server's row depend on. */
  marks(server: Server): readonly string[];
  /** Fires with the server whose rows or marks changed, or with the one of these rows that changed. */
  readonly onDidChange: Event<Server | TreeNode>;
}

/** Returns what several features add to the rows of servers. */
export function joinNotes(...all: readonly ServerNotes[]): ServerNotes {
  return {
    nodes: (server, parent) => all.flatMap((one) => one.nodes(server, parent)),
    last: (server, parent) => all.flatMap((one) => one.last?.(server, parent) ?? []),
    marks: (server) => all.flatMap((one) => one.marks(server)),
    onDidChange: (listener) => {
      const store = new DisposableStore();
      for (const one of all) store.add(one.onDidChange(listener));
      return store;
    },
  };
}

/** Makes the row of `server`. */
export function createServerNode(
  server: Server,
  features: Sections,
  notes: ServerNotes,
): ServerNode {
  const id = `server:${server.id}`;
  const node: ServerNode = {
    id,
    parent: undefined,
    server,
    isServer: true,
    get sections() {
      return sections;
    },
    item: () => {
      const { label, text, ...sign } = shownState(server.state);
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
      ...messagesOf(server).map((message) => createMessageNode(node, message, server)),
      ...notes.nodes(server, node),
      ...sectionKinds.filter((kind) => isSectionShown(server, kind)).map((kind) => sections[kind]),
      ...(notes.last?.(server, node) ?? []),
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
    ...(source.unwritten ? ['unwritten', source.unwritten] : []),
    ...(inputsIn(config).length > 0 ? ['inputs'] : []),
    ...noted,
    ...(sessionInfo(state)?.capabilities.logging ? ['logging'] : []),
    ...(isSignedIn ? ['signedIn'] : []),
  ];
  return marks.join('.');
}
