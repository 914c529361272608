import * as vscode from 'vscode';
import type { AskedStarts } from '../config/askedStarts';
import type { RestrictedServers } from '../config/trust/restrictedServers';
import type { Server } from '../mcp/server';
import type { TreeRow } from '../ui/rows/treeRow';

/** What stands between servers and their start: a question that waits for the user, or the trust in the workspace. */
export interface StartHolds {
  readonly asked: Pick<AskedStarts, 'has' | 'onDidChange'>;
  readonly restricted: Pick<RestrictedServers, 'has' | 'onDidChange'>;
}

/** The state of a server as every view shows it. */
export interface ShownState extends Pick<TreeRow, 'icon' | 'iconColor'> {
  /** In a word or two. */
  readonly label: string;
  /** The same, and what its start needs. */
  readonly text: string;
}

/** How a server is, in words and as a sign. */
export function shownState(
  { id, state }: Pick<Server, 'id' | 'state'>,
  { asked, restricted }: StartHolds,
): ShownState {
  const { t } = vscode.l10n;
  const shown = lookOf(state.kind, asked.has(id));
  const text = restricted.has(id) ? `${shown.label} · ${t('Workspace not trusted')}` : shown.label;
  return { ...shown, text };
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
    case 'failed':
      return { label: t('Failed'), icon: 'error', iconColor: 'list.errorForeground' };
    case 'needsSignIn':
      return { label: t('Sign-in needed'), icon: 'key', iconColor: 'list.warningForeground' };
  }
}
