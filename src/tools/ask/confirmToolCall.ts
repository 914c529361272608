import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import { plainLabel } from '../../base/text/text';
import { displayName } from '../../mcp/protocol/types';
import { extents, type Extent } from '../gate/approval';
import type { Question } from '../gate/question';
import { argumentsLook } from './looks';
import { questionItems, type Choice, type Decision, type QuestionItem } from './questionItems';
import type { QuestionPlace } from './questionQueue';

/** The choice that Enter makes when nothing was chosen, as the person set it. */
export type DefaultChoice = 'deny' | 'edit' | 'allow';

/** How the person left the confirmation; `extent` is what an allowance shall cover. */
export interface Confirmed {
  readonly decision: Decision;
  readonly extent: Extent;
}

/** The shortest text in the box that picks a row on purpose. */
const minFilterLength = 3;

/**
 * Asks in a quick pick that shows the full arguments. Escape denies; Enter takes the default choice
 * unless the person moved to, or typed enough of, another.
 */
export function confirmToolCall(
  question: Question,
  signal: AbortSignal,
  place: QuestionPlace,
  options: {
    readonly defaultChoice: DefaultChoice;
    readonly extent: Extent;
  },
): Promise<Confirmed> {
  const { call } = question;
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<QuestionItem>());
  let { extent } = options;
  const isDefault = ({ choice }: QuestionItem) =>
    choice?.kind === options.defaultChoice && (choice.kind !== 'allow' || !choice.duration);
  const activateDefault = () => {
    pick.activeItems = pick.items.filter(isDefault);
  };
  const show = () => {
    const { waiting } = place;
    const hasWorkspace = vscode.workspace.workspaceFolders !== undefined;
    const active = pick.activeItems[0]?.choice;
    pick.items = questionItems(question, { extent, waiting, hasWorkspace });
    pick.title = title(question, waiting);
    // New rows would put the first one under Enter.
    const same = pick.items.filter(({ choice }) => choice && isSame(choice, active));
    if (same.length > 0) pick.activeItems = same;
    else activateDefault();
  };
  pick.placeholder = vscode.l10n.t('Run {0} with these arguments?', plainLabel(call.tool.name));
  pick.ignoreFocusOut = true;
  pick.keepScrollPosition = true;
  pick.buttons = [
    {
      iconPath: new vscode.ThemeIcon('go-to-file'),
      tooltip: vscode.l10n.t('Show Arguments in Editor'),
    },
  ];
  return new Promise((resolve) => {
    const end = (decision: Decision) => {
      store.dispose();
      resolve({ decision, extent });
    };
    const withdraw = () => end({ kind: 'deny' });
    signal.addEventListener('abort', withdraw, { once: true });
    store.add({ dispose: () => signal.removeEventListener('abort', withdraw) });
    store.add(place.onDidChangeWaiting(show));
    store.add(pick.onDidTriggerButton(() => end({ kind: 'look', at: argumentsLook(call) })));
    store.add(
      pick.onDidAccept(() => {
        const [item] = pick.activeItems;
        const choice = item?.choice;
        if (!item || !choice) return;
        if (!isOnPurpose(item, pick.value)) {
          // Decides nothing, and leaves a clean question: Enter has the default again.
          pick.value = '';
          activateDefault();
        } else if (choice.kind === 'nextExtent') {
          extent = extents[(extents.indexOf(extent) + 1) % extents.length] ?? 'tool';
          show();
        } else if (choice.kind === 'denyAll') place.denyAll();
        else end(choice);
      }),
    );
    store.add(pick.onDidHide(withdraw));
    show();
    pick.show();
    if (signal.aborted) withdraw();
  });
}

function isSame(choice: Choice, other: Choice | undefined): boolean {
  if (choice.kind !== other?.kind) return false;
  return choice.kind !== 'allow' || other.kind !== 'allow' || choice.duration === other.duration;
}

/** A letter or two, typed for something else when the question appeared, allows nothing. */
function isOnPurpose({ label, choice }: QuestionItem, typed: string): boolean {
  if (choice?.kind !== 'allow' || typed === '') return true;
  return typed.length >= minFilterLength && label.toLowerCase().includes(typed.toLowerCase());
}

function title({ call }: Question, waiting: number): string {
  const name = `${plainLabel(call.server.name, 60)} › ${plainLabel(displayName(call.tool), 60)}`;
  return waiting > 1 ? vscode.l10n.t('{0} (1 of {1})', name, waiting) : name;
}
