import * as vscode from 'vscode';
import { DisposableStore, type Disposable } from '../../base/disposable';
import type { Event } from '../../base/event';
import { plainLabel } from '../../base/text/text';
import type { StepAnswer } from './multiStep';

/** A button of a step: it ends the step, or does something beside it. */
export interface StepAction {
  readonly icon: vscode.ThemeIcon;
  readonly label: string;
  readonly ends?: 'leave' | 'decline';
  readonly run?: () => void;
}

/** What all steps of a series have around them; it may change while one is shown. */
export interface StepFrame {
  readonly title: string;
  readonly actions: readonly StepAction[];
  /** Said behind a text that is cut below the box: where all of it stands. */
  readonly more?: string;
  readonly onDidChange?: Event<void>;
  /** Takes the question back: the step ends with `cancel`. */
  readonly signal?: AbortSignal;
}

type Ending = Exclude<StepAnswer<unknown>['kind'], 'next'>;

/** Puts a frame on a quick input, with *Back* where one can go back; `end` is called with how the person left. */
export function frameStep(
  input: vscode.QuickPick<vscode.QuickPickItem> | vscode.InputBox,
  step: {
    /** Stands behind the title of the series; empty for a question that is alone. */
    readonly name: string;
    readonly frame: StepFrame;
    /** Buttons of this step alone; they stand before those of the frame. */
    readonly actions?: readonly StepAction[];
    readonly canGoBack: boolean;
    readonly end: (kind: Ending) => void;
  },
): Disposable {
  const { frame, end } = step;
  const store = new DisposableStore();
  const actions = new Map<vscode.QuickInputButton, StepAction>();
  const show = () => {
    input.title = plainLabel([frame.title, step.name].filter(Boolean).join(': '));
    actions.clear();
    for (const action of [...(step.actions ?? []), ...frame.actions])
      actions.set({ iconPath: action.icon, tooltip: action.label }, action);
    input.buttons = [...(step.canGoBack ? [vscode.QuickInputButtons.Back] : []), ...actions.keys()];
  };
  store.add(
    input.onDidTriggerButton((button) => {
      if (button === vscode.QuickInputButtons.Back) return end('back');
      const action = actions.get(button);
      action?.run?.();
      if (action?.ends) end(action.ends);
    }),
  );
  if (frame.onDidChange) store.add(frame.onDidChange(show));
  const withdraw = () => end('cancel');
  frame.signal?.addEventListener('abort', withdraw, { once: true });
  store.add({ dispose: () => frame.signal?.removeEventListener('abort', withdraw) });
  show();
  if (frame.signal?.aborted) withdraw();
  return store;
}

/** The frame of steps that have nothing but a title around them. */
export function frameOf(title: string | StepFrame): StepFrame {
  return typeof title === 'string' ? { title, actions: [] } : title;
}
