import * as vscode from 'vscode';
import type { Servers } from '../../mcp/servers';
import { Command, View } from '../ids';
import type { PickLook } from './picks';

/** A row that leads on where a list has nothing to choose from. */
export interface NextStep extends PickLook {
  readonly next: string;
}

/** The rows of an empty list of what servers offer: where to get a server, or how to start one. */
export function nextSteps({ all }: Pick<Servers, 'all'>): readonly NextStep[] {
  const { t } = vscode.l10n;
  if (all.length === 0)
    return [
      step(t('Add Server…'), 'add', Command.addServer, t('No MCP server is configured yet')),
      step(t('Find My Servers'), 'search', Command.importServers, ''),
    ];
  if (all.some(({ state }) => state.kind === 'stopped'))
    return [step(t('Start Server'), 'play', Command.startServer, t('No running server has any'))];
  return [step(t('Show Servers'), 'list-tree', `${View.servers}.focus`, t('No server has any'))];
}

/** Goes on from a list by the row that was chosen. */
export async function takeStep(next: string): Promise<void> {
  await vscode.commands.executeCommand(next);
}

function step(label: string, icon: string, next: string, description: string): NextStep {
  return { label, description, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true, next };
}
