import * as vscode from 'vscode';
import type { UserAction } from '../../ui/questions/question';
import { shortJson } from '../../base/measureJson';
import { DisposableStore } from '../../base/disposable';
import type { Event } from '../../base/event';
import { plainLabel, plainMessage, wordsLabel } from '../../base/text/text';
import type { Progress } from '../../mcp/protocol/types';
import type { ToolCall, ToolOutcome } from '../../contracts/toolCalls';
import type { TaskFacts, TaskHandle } from '../../mcp/session/tasks/taskState';
import { pickItem } from '../../ui/steps/pickItem';
import { Command } from '../../ui/ids';
import { nextStep, takeStep, type NextStep } from '../../ui/rows/nextSteps';
import { createPick, safeRows, untilTaken, type PickLook } from '../../ui/rows/picks';
import { SteadyRows } from '../../ui/rows/steadyRows';
import { showMessage } from '../../ui/messages';

/** A call that is running. */
export interface RunningCall {
  readonly call: ToolCall;
  readonly label: string;
  readonly startedAt: number;
  readonly ended: Promise<ToolOutcome>;
  progress: Progress | undefined;
  /** The task that its server turned it into, if it did. */
  task: TaskHandle | undefined;
  /** What the server last said of that task. */
  taskState?: TaskFacts;
  /** True if the user stopped waiting for that task. */
  isForgotten?: boolean;
  background: boolean;
  readonly cancel: () => void;
  /** Cancels it because the window closes. */
  readonly lose: () => void;
  readonly toBackground: () => void;
  /** Stops waiting for a task, which may continue on its server. */
  readonly leave: (isForgotten: boolean) => void;
}

interface Button extends vscode.QuickInputButton {
  readonly run: (entry: RunningCall) => void;
}

type RunningItem = PickLook & Partial<NextStep> & { readonly entry?: RunningCall };

/** How often the running time of a call is updated. */
const everyMs = 1000;

/** Lists the running calls with their running times, and asks what to do with the selected one. */
export async function showRunning(
  action: UserAction,
  running: () => readonly RunningCall[],
  onDidChange: Event<unknown>,
): Promise<void> {
  const item = await pickRunning(action, running, onDidChange);
  if (item?.entry) await askWhatBecomes(action, item.entry, running);
  if (item?.next !== undefined) await takeStep(item.next);
}

/** Asks what to do with a call; Enter changes nothing, so that one that was only looked at continues. */
async function askWhatBecomes(
  action: UserAction,
  entry: RunningCall,
  running: () => readonly RunningCall[],
): Promise<void> {
  const { t } = vscode.l10n;
  const items = [
    { label: t('Keep Running'), icon: 'sync', act: () => {} },
    ...(entry.background
      ? []
      : [{ label: t('Run in Background'), icon: 'debug-step-out', act: entry.toBackground }]),
    ...(entry.task ? [{ label: forgetLabel(), icon: 'close', act: () => entry.leave(true) }] : []),
    { label: t('Cancel Call'), icon: 'circle-slash', act: entry.cancel },
  ].map(({ icon, ...item }) => ({ ...item, iconPath: new vscode.ThemeIcon(icon) }));
  const isOver = () => !running().includes(entry);
  // Several calls of a tool have the same title.
  const prompt = joined(startText(entry), argumentsText(entry));
  const frame = { title: entry.label, actions: [] };
  const picked = isOver() ? undefined : await pickItem({ frame, prompt, items, own: { action } });
  if (typeof picked === 'string') return;
  if (picked && !isOver()) picked.act();
  else void showMessage('info', t('{0} has ended already.', entry.label));
}

function forgetLabel(): string {
  return vscode.l10n.t('Remove from List (the server may go on)');
}

async function pickRunning(
  action: UserAction,
  running: () => readonly RunningCall[],
  onDidChange: Event<unknown>,
): Promise<RunningItem | undefined> {
  const { t } = vscode.l10n;
  const pick = createPick<RunningItem>(action);
  const store = new DisposableStore();
  store.add(pick);
  pick.title = t('Running Tools');
  pick.keepScrollPosition = true;
  // A call that ends keeps its row, because the editor reports a row that is taken just then by its position.
  const listed = new Set<RunningCall>();
  const run = nextStep(t('Run MCP Tool…'), 'play', Command.runTool, t('No tool is running'));
  const read = () => {
    const now = running();
    for (const entry of now) listed.add(entry);
    const rows = Array.from(listed, (entry) => rowOf(entry, !now.includes(entry)));
    return safeRows<RunningItem>(rows.length > 0 ? rows : [run]);
  };
  const rows = store.add(
    new SteadyRows<RunningItem>(pick, read, (row, other) => row.entry === other.entry),
  );
  const sayState = () => {
    const entry = pick.activeItems[0]?.entry;
    const state = entry && running().includes(entry) ? stateText(entry) : '';
    if (pick.prompt !== plainMessage(state)) pick.prompt = plainMessage(state);
  };
  const update = () => {
    const hint = t('Choose a call to cancel it or to run it in the background');
    pick.placeholder = running().length > 0 ? plainLabel(hint) : '';
    rows.refresh();
    sayState();
  };
  const timer = setInterval(sayState, everyMs);
  store.add({ dispose: () => clearInterval(timer) });
  store.add(onDidChange(update));
  store.add(pick.onDidChangeActive(sayState));
  store.add(
    pick.onDidTriggerItemButton(({ item, button }) => {
      if (item.entry) (button as Button).run(item.entry);
    }),
  );
  update();
  return untilTaken(pick, store);
}

/** Leaves out what changes by itself: each change of the rows moves the highlight that the user may be moving. */
function rowOf(entry: RunningCall, isOver: boolean): RunningItem {
  const { t } = vscode.l10n;
  if (isOver) return { label: entry.label, description: t('ended'), entry };
  const background = entry.background ? t('in the background') : '';
  const task = entry.task ? t('task {0}', plainLabel(entry.task.id, 60)) : '';
  return {
    label: entry.label,
    description: startText(entry),
    detail: joined(background, task, argumentsText(entry)),
    buttons: buttonsOf(entry),
    entry,
  };
}

function buttonsOf(entry: RunningCall): Button[] {
  const background: Button = {
    iconPath: new vscode.ThemeIcon('debug-step-out'),
    tooltip: vscode.l10n.t('Run in Background'),
    run: ({ toBackground }) => toBackground(),
  };
  const forget: Button = {
    iconPath: new vscode.ThemeIcon('close'),
    tooltip: forgetLabel(),
    run: ({ leave }) => leave(true),
  };
  return [...(entry.background ? [] : [background]), ...(entry.task ? [forget] : [])];
}

/** Says how far a call has come and how long it has run, both of which change all the time. */
function stateText({ progress, startedAt }: RunningCall): string {
  return joined(progressText(progress), elapsedText(Date.now() - startedAt));
}

function startText({ startedAt }: RunningCall): string {
  const time = new Date(startedAt).toLocaleTimeString(vscode.env.language);
  return vscode.l10n.t('started at {0}', time);
}

function argumentsText({ call }: RunningCall): string {
  return Object.keys(call.arguments).length > 0 ? shortJson(call.arguments) : '';
}

function joined(...parts: readonly string[]): string {
  return parts.filter(Boolean).join(' · ');
}

/** Says how long something has run. */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return vscode.l10n.t('{0} s', seconds);
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return vscode.l10n.t('{0} min', minutes);
  return vscode.l10n.t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}

/** Returns how far a call has come, in percent; `undefined` if it has reported no total. */
export function percentOf(progress: Progress | undefined): number | undefined {
  const { total } = progress ?? {};
  if (!progress || !total) return undefined;
  return Math.min(100, Math.max(0, (progress.progress / total) * 100));
}

/** Says in a few words how far a call has come; empty if it has reported nothing. */
export function progressText(progress: Progress | undefined): string {
  if (!progress) return '';
  // A task reports only words.
  if (progress.progress === 0 && progress.total === undefined && progress.message)
    return wordsLabel(progress.message, 80);
  const percent = percentOf(progress);
  const amount = percent === undefined ? String(progress.progress) : `${Math.round(percent)}%`;
  return progress.message ? `${amount} ${wordsLabel(progress.message, 80)}` : amount;
}
