import * as vscode from 'vscode';
import type { Servers } from '../../mcp/servers';
import { Command, View } from '../ids';
import type { Questions } from '../questions/questions';
import type { PickLook } from './picks';

/** A row that leads on where a list has nothing to choose from. */
export interface NextStep extends PickLook {
  readonly next: string;
}

/** The questions that a start may wait for, of which a list tells. */
export type WaitingQuestions = Pick<Questions, 'unseen' | 'onDidChange'>;

/** The rows of an empty list of what servers offer: the question that a start waits for, where to get a server, or how to start one. */
export function nextSteps(
  { all, unused }: Pick<Servers, 'all' | 'unused'>,
  { unseen }: Pick<WaitingQuestions, 'unseen'>,
): readonly NextStep[] {
  const { t } = vscode.l10n;
  if (isStarting(all) && unseen.questions.length > 0)
    return [nextStep(t('Show Question'), 'question', Command.showQuestions, unseen.text)];
  const show = (why: string) =>
    nextStep(t('Show Servers'), 'list-tree', `${View.servers}.focus`, why);
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
      nextStep(t('Start Server'), 'play', Command.startServer, t('No running server has any')),
    ];
  return [show(t('No server has any'))];
}

/** The same for a list that fills as servers start: none while they do, but for the question that a start waits for. */
export function liveSteps(
  servers: Pick<Servers, 'all' | 'unused'>,
  questions: Pick<WaitingQuestions, 'unseen'>,
): readonly NextStep[] {
  const waits = questions.unseen.questions.length > 0;
  return isStarting(servers.all) && !waits ? [] : nextSteps(servers, questions);
}

function isStarting(all: Servers['all']): boolean {
  return all.some(({ state }) => state.kind === 'starting');
}

/** Goes on from a list by the row that was chosen. */
export async function takeStep(next: string): Promise<void> {
  await vscode.commands.executeCommand(next);
}

/** A row that runs the command `next`; the description says why it is there. */
export function nextStep(label: string, icon: string, next: string, description: string): NextStep {
  return { label, description, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true, next };
}
