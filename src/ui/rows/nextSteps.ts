import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { Servers } from '../../mcp/servers';
import { manageWorkspaceTrustCommand } from '../editorCommands';
import { Command, View } from '../ids';
import type { Questions } from '../questions/questions';
import type { PickLook } from './picks';

/** A row that leads on from a list that has nothing to choose from. */
export interface NextStep extends PickLook {
  readonly next: string;
}

/** The questions that a start may wait for, which a list mentions. */
export type WaitingQuestions = Pick<Questions, 'unseen' | 'onDidChange'>;

/**
 * Returns the rows for an empty list of what servers offer: what a start waits for, where to get a server, or how to
 * start one.
 */
export function nextSteps(
  { all, unused }: Pick<Servers, 'all' | 'unused'>,
  { unseen }: Pick<WaitingQuestions, 'unseen'>,
): readonly NextStep[] {
  const { t } = vscode.l10n;
  const show = (why: string) =>
    nextStep(t('Show Servers'), 'list-tree', `${View.servers}.focus`, why);
  const [starting, ...others] = all.filter(({ state }) => state.kind === 'starting');
  if (starting && unseen.questions.length > 0)
    return [nextStep(t('Show Question'), 'question', Command.showQuestions, unseen.text)];
  if (starting)
    return [
      show(
        others.length === 0
          ? t('{0} is starting', plainLabel(starting.name))
          : t('{0} servers are starting', String(others.length + 1)),
      ),
    ];
  if (all.length === 0 && unused > 0)
    return [
      nextStep(t('Enable Server'), 'check', Command.enableServer, t('All servers are disabled')),
      show(''),
    ];
  if (all.length === 0)
    return [
      nextStep(t('Add Server…'), 'add', Command.addServer, t('No MCP server is configured yet')),
      nextStep(t('Find My Servers…'), 'search', Command.importServers, ''),
    ];
  if (all.some(({ state }) => state.kind === 'stopped'))
    return [
      ...trustSteps(),
      nextStep(t('Start Server'), 'play', Command.startServer, t('No running server has any')),
    ];
  return [show(t('No server has any'))];
}

/** Returns the step that comes before a start if the workspace lacks the trust that its servers need; else no steps. */
export function trustSteps(): readonly NextStep[] {
  if (vscode.workspace.isTrusted) return [];
  const { t } = vscode.l10n;
  const label = t('Manage Workspace Trust');
  return [nextStep(label, 'shield', manageWorkspaceTrustCommand, t('Workspace not trusted'))];
}

/** Runs the command of the next step that was chosen in a list. */
export async function takeStep(next: string): Promise<void> {
  await vscode.commands.executeCommand(next);
}

/** Makes a row that runs the command `next`; the description says why it is there. */
export function nextStep(label: string, icon: string, next: string, description: string): NextStep {
  return { label, description, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true, next };
}
