import * as vscode from 'vscode';
import { plainLabel } from '../base/text/text';
import { kindOf } from '../mcp/launch/launchKinds';
import type { Server } from '../mcp/server';
import type { ConfinementLevel } from '../mcp/serverConfig';
import type { ServerState } from '../mcp/serverState';

/**
 * Returns the text after a server's name on its row; `shown`, its state in words, is left out if it runs or has failed.
 */
export function describe({ state, definition }: Server, shown: string): string {
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

/** Returns everything to say about a server and its state, one item per line. */
export function tooltipOf(
  { name, state, validFor, definition: { config, source } }: Server,
  shown: string,
): string {
  const lines = [
    `${name} (${shown})`,
    kindOf(config).line(config).join(' '),
    source.label,
    ...unexpectedNote(state, 1000),
  ];
  if (state.kind === 'failed')
    lines.push('', state.message, ...(isSaid(state) ? [] : [state.detail ?? '']));
  if (state.kind === 'needsSignIn' && state.problem !== undefined) lines.push('', state.problem);
  if (state.kind === 'reconnecting')
    lines.push(
      '',
      state.message,
      vscode.l10n.t('It is asked again until it answers. What is shown of it may be out of date.'),
    );
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
    if (validFor !== undefined)
      lines.push(vscode.l10n.t('The sign-in is valid for all of {0}', validFor));
    if (instructions) lines.push(vscode.l10n.t('Instructions: {0}', instructions));
  }
  return lines.join('\n');
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
