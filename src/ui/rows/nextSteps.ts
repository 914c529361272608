import * as vscode from 'vscode';
import { plainLabel } from '../../base/text/text';
import type { ListStatus } from '../../mcp/lists/listSpecs';
import type { Server, Servers } from '../../mcp/server';
import { type ServerState, isDown } from '../../mcp/serverState';
import { manageWorkspaceTrustCommand } from '../editorCommands';
import { Command, View } from '../ids';
import type { Questions } from '../questions/questions';
import type { PickLook } from './picks';
import { delay } from '../../base/async';
import { doubleClickMs } from './rowClicks';

/**
 * Lets the user choose from a list, which is shown again after a row of it has led to a running server, unless they
 * have turned to something else, or are asked something, in the meantime; `undefined` if they choose nothing.
 */
export async function chooseThroughSteps<T extends Partial<NextStep>>(
  choose: () => Promise<T | undefined>,
  questions: Pick<Questions, 'isAsking' | 'workedElsewhere'>,
): Promise<T | undefined> {
  for (;;) {
    const chosen = await choose();
    if (chosen?.next === undefined) return chosen;
    const since = Date.now();
    if (!isRunning(await takeStep(chosen.next))) return undefined;
    // The second click of a double click on the answer to a question must not choose a row.
    await delay(doubleClickMs);
    if (questions.isAsking || questions.workedElsewhere(since)) return undefined;
  }
}

/** True if a command that starts servers, or signs in to one, returned that a server is running. */
function isRunning(outcomes: unknown): boolean {
  return [outcomes].flat().some((outcome) => (outcome as { kind?: unknown })?.kind === 'running');
}

/** A row that leads on from a list that has nothing to choose from. */
export interface NextStep extends PickLook {
  /** The command that the row runs, with its arguments. */
  readonly next: readonly [command: string, ...args: string[]];
}

/** The questions that a start may wait for, which a list mentions and makes room for. */
export type WaitingQuestions = Pick<
  Questions,
  'unseen' | 'onDidChange' | 'isAsking' | 'workedElsewhere'
>;

/** Picks the lists of a server that an empty list shows together. */
type ListsOf = (server: Server) => readonly { readonly status: ListStatus }[];

/**
 * Returns the rows for an empty list of what servers offer: what a start waits for, where to get a server, or what
 * each state of a server that is not running calls for.
 */
export function nextSteps(
  { all, unused }: Pick<Servers, 'all' | 'unused'>,
  { unseen }: Pick<WaitingQuestions, 'unseen'>,
  listsOf: ListsOf,
): readonly NextStep[] {
  const { t } = vscode.l10n;
  const show = (why: string) =>
    nextStep(t('Show Servers'), 'list-tree', `${View.servers}.focus`, why);
  const starting = stepsFor(inState(all, 'starting'), (servers, target) =>
    show(
      target === undefined ? t('{0} servers are starting', servers) : t('{0} is starting', servers),
    ),
  );
  if (starting.length > 0 && unseen.questions.length > 0)
    return [nextStep(t('Show Question'), 'question', Command.showQuestions, unseen.text)];
  if (starting.length > 0) return starting;
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
  const steps = [...startSteps(all), ...signInSteps(all), ...failureSteps(all)];
  return steps.length > 0 ? steps : [show(emptyReason(all, listsOf))];
}

function inState(servers: readonly Server[], kind: ServerState['kind']): readonly Server[] {
  return servers.filter(({ state }) => state.kind === kind);
}

function startSteps(all: readonly Server[]): readonly NextStep[] {
  const { t } = vscode.l10n;
  const why = t('No running server has any');
  const steps = stepsFor(
    all.filter(({ state }) => isDown(state)),
    (_, target) => nextStep(t('Start Server'), 'play', Command.startServer, why, target),
  );
  return steps.length > 0 ? [...trustSteps(), ...steps] : [];
}

/** Returns the step to sign in to the servers that require it; no steps if none does. */
export function signInSteps(all: readonly Server[]): readonly NextStep[] {
  const { t } = vscode.l10n;
  return stepsFor(inState(all, 'needsSignIn'), (servers, target) => {
    const why =
      target === undefined
        ? t('{0} servers require sign-in', servers)
        : t('{0} requires sign-in', servers);
    return nextStep(t('Sign In'), 'key', Command.signIn, why, target);
  });
}

/** Returns the step to find out why servers have failed; no steps if none has. */
export function failureSteps(all: readonly Server[]): readonly NextStep[] {
  const { t } = vscode.l10n;
  return stepsFor(inState(all, 'failed'), (servers, target) => {
    const why =
      target === undefined ? t('{0} servers have failed', servers) : t('{0} has failed', servers);
    return nextStep(
      t('Diagnose Start and Connection'),
      'pulse',
      Command.diagnoseServer,
      why,
      target,
    );
  });
}

/** Makes the step for some servers, if there are any, given the name and the id of the only one, or their number. */
function stepsFor(
  servers: readonly Server[],
  toStep: (servers: string, target?: string) => NextStep,
): readonly NextStep[] {
  const [only, ...others] = servers;
  if (!only) return [];
  return [
    others.length === 0 ? toStep(plainLabel(only.name), only.id) : toStep(String(servers.length)),
  ];
}

/** Returns why running servers have nothing to choose from: a list may still be loading, or have failed. */
function emptyReason(all: readonly Server[], listsOf: ListsOf): string {
  const { t } = vscode.l10n;
  const having = (status: ListStatus) =>
    all.find((server) => listsOf(server).some((list) => list.status === status));
  const loading = having('loading');
  if (loading) return t('Loading from {0}', plainLabel(loading.name));
  const failed = having('failed');
  if (failed) return t('A list of {0} could not be loaded', plainLabel(failed.name));
  return t('No server has any');
}

/** Returns the step that comes before a start if the workspace lacks the trust that its servers need; else no steps. */
export function trustSteps(): readonly NextStep[] {
  if (vscode.workspace.isTrusted) return [];
  const { t } = vscode.l10n;
  const label = t('Manage Workspace Trust');
  return [nextStep(label, 'shield', manageWorkspaceTrustCommand, t('Workspace not trusted'))];
}

/** Runs the command of the next step that was chosen in a list; resolves to its result. */
export async function takeStep(next: NextStep['next']): Promise<unknown> {
  return vscode.commands.executeCommand(...next);
}

/** Makes a row that runs a command, for the server `target` if that is given; the description says why it is there. */
export function nextStep(
  label: string,
  icon: string,
  command: string,
  description: string,
  target?: string,
): NextStep {
  const next: NextStep['next'] = target === undefined ? [command] : [command, target];
  return { label, description, iconPath: new vscode.ThemeIcon(icon), alwaysShow: true, next };
}
