import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable';
import type { StepAnswer } from './multiStep';
import { promptLine } from './promptLine';
import { frameStep, type StepFrame } from './stepFrame';

/** One question that rows answer; texts that a server wrote are passed as they are. */
export interface ItemQuestion<T extends vscode.QuickPickItem> {
  readonly frame: StepFrame;
  /** Stands behind the frame's title. */
  readonly name?: string;
  /** What the person shall know, below the box. */
  readonly prompt?: string;
  readonly placeholder?: string;
  readonly items: readonly T[];
  readonly canGoBack?: boolean;
  /** True for rows that are there to be read; choosing one does nothing. */
  readonly isText?: (item: T) => boolean;
  /** The row that Enter takes at first; the first one that can be chosen, if left out. */
  readonly active?: (item: T) => boolean;
}

/** Resolves with the row that was chosen, or how the person left instead. */
export function pickItem<T extends vscode.QuickPickItem>(
  question: ItemQuestion<T>,
): Promise<T | Exclude<StepAnswer<unknown>['kind'], 'next'>> {
  const { frame, name = '', prompt = '', placeholder, items, canGoBack = false } = question;
  const store = new DisposableStore();
  const pick = store.add(vscode.window.createQuickPick<T>());
  pick.ignoreFocusOut = true;
  pick.prompt = promptLine(prompt, frame.more);
  pick.placeholder = placeholder;
  pick.items = items;
  const isRow = (item: T) => item.kind !== separator && !question.isText?.(item);
  const { active = isRow } = question;
  pick.activeItems = items.filter(active).slice(0, 1);
  return new Promise((resolve) => {
    const end = (answer: T | Exclude<StepAnswer<unknown>['kind'], 'next'>) => {
      store.dispose();
      resolve(answer);
    };
    store.add(frameStep(pick, { name, frame, canGoBack, end }));
    store.add(
      pick.onDidAccept(() => {
        const [item] = pick.activeItems;
        if (item && isRow(item)) end(item);
      }),
    );
    store.add(pick.onDidHide(() => end('cancel')));
    pick.show();
  });
}

const separator = vscode.QuickPickItemKind.Separator;
