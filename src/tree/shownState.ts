import * as vscode from 'vscode';
import type { Event } from '../base/event';
import type { AskedStarts } from '../config/askedStarts';
import type { RestrictedServers } from '../config/trust/restrictedServers';
import type { Server } from '../mcp/server';
import type { TreeRow } from '../ui/rows/treeRow';

/** What can hold up a server's start: an unanswered question, an untrusted workspace, or a value not entered yet. */
export interface StartHolds {
  readonly asked: Pick<AskedStarts, 'has' | 'onDidChange'>;
  readonly restricted: Pick<RestrictedServers, 'has' | 'onDidChange'>;
  /** The servers that would have started automatically but lack a value. */
  readonly lacking: { has(serverId: string): boolean; readonly onDidChange: Event<string> };
}

/** The state of a server as every view shows it. */
export interface ShownState extends Pick<TreeRow, 'icon' | 'iconColor'> {
  /** In a word or two. */
  readonly label: string;
  /** The label, followed by what the start still needs. */
  readonly text: string;
}

/** Returns a server's state in words and as an icon. */
export function shownState(
  { id, state }: Pick<Server, 'id' | 'state'>,
  { asked, restricted, lacking }: StartHolds,
): ShownState {
  const { t } = vscode.l10n;
  const shown = lookOf(state.kind, asked.has(id));
  const needs = [
    ...(restricted.has(id) ? [t('Workspace not trusted')] : []),
    ...(lacking.has(id) ? [t('Needs a value')] : []),
  ];
  return { ...shown, text: [shown.label, ...needs].join(' · ') };
}

function lookOf(kind: Server['state']['kind'], isAsked: boolean): Omit<ShownState, 'text'> {
  const { t } = vscode.l10n;
  switch (kind) {
    case 'stopped':
      return { label: t('Stopped'), icon: 'circle-large-outline' };
    case 'starting':
      return isAsked
        ? { label: t('Waiting for your answer'), icon: 'question' }
        : { label: t('Starting…'), icon: 'loading~spin' };
    case 'running':
      return { label: t('Running'), icon: 'pass-filled', iconColor: 'testing.iconPassed' };
    case 'reconnecting':
      return {
        label: t('Reconnecting…'),
        icon: 'debug-disconnect',
        iconColor: 'list.warningForeground',
      };
    case 'failed':
      return { label: t('Failed'), icon: 'error', iconColor: 'list.errorForeground' };
    case 'needsSignIn':
      return { label: t('Sign-in needed'), icon: 'key', iconColor: 'list.warningForeground' };
  }
}
