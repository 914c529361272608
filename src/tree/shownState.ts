import * as vscode from 'vscode';
import { administratorText } from '../config/switches/administrator';
import { type Obstacle, type OffState, type ServerStatus, obstacleOf } from '../mcp/serverState';
import type { TreeRow } from '../ui/rows/treeRow';

/** What is the matter with a server, as every view shows it. */
export interface ShownState extends Required<Pick<TreeRow, 'icon'>>, Pick<TreeRow, 'iconColor'> {
  /** In a word or two. */
  readonly label: string;
  /** The label, followed by what the start still needs. */
  readonly text: string;
}

/** Returns in words and as an icon what is the matter with a server. */
export function shownState(status: ServerStatus): ShownState {
  const shown = lookOf(status);
  const needs = needOf(obstacleOf(status));
  return { ...shown, text: needs === undefined ? shown.label : `${shown.label} · ${needs}` };
}

/** True if the user switched the server off and can switch it back on. */
export function isUsers(off: OffState): boolean {
  return off.kind === 'disabled' && off.by !== 'entry';
}

function lookOf(status: ServerStatus): Omit<ShownState, 'text'> {
  const { t } = vscode.l10n;
  switch (status.kind) {
    case 'disabled':
      return { label: disabledText(status.by), icon: 'circle-slash', iconColor: dimmed };
    case 'forbidden':
      return { label: administratorText(status.rule), icon: 'circle-slash', iconColor: dimmed };
    case 'stopped':
      return status.why === 'needsProcess'
        ? { label: t('Needs a process'), icon: 'circle-slash', iconColor: dimmed }
        : { label: t('Stopped'), icon: 'circle-large-outline' };
    case 'starting':
      return status.isWaiting
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
      return {
        label: status.isUnexplained ? t('Access refused (401)') : t('Sign-in needed'),
        icon: 'key',
        iconColor: 'list.warningForeground',
      };
  }
}

/** The color of what is configured and cannot be used here. */
export const dimmed = 'disabledForeground';

function disabledText(by: Extract<OffState, { readonly kind: 'disabled' }>['by']): string {
  switch (by) {
    case 'entry':
      return vscode.l10n.t('Disabled in its configuration');
    case 'here':
      return vscode.l10n.t('Disabled in this workspace');
    case 'everywhere':
      return vscode.l10n.t('Disabled');
  }
}

/** Says what a stopped server still needs; `undefined` where its next start asks for that, or says it. */
function needOf(why: Obstacle | undefined): string | undefined {
  switch (why) {
    case 'restricted':
      return vscode.l10n.t('Workspace not trusted');
    case 'needsValue':
      return vscode.l10n.t('Needs a value');
    case undefined:
    case 'stoppedByUser':
    case 'manualOnly':
    case 'forbidden':
    case 'declined':
    case 'untrusted':
    case 'unanswered':
    case 'needsProcess':
    case 'broken':
      return undefined;
  }
}
