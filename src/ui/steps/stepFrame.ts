import * as vscode from 'vscode';
import { DisposableHolder, DisposableStore, type Disposable } from '../../base/disposable';
import { errorMessage, isCancellation } from '../../base/errors';
import { once, type Event } from '../../base/event';
import { plainLabel } from '../../base/text/text';
import { pairText } from '../../base/translate';
import { whenEditorCaughtUp } from '../editorCommands';
import { StrayText, promptKeys } from '../questions/typing';
import { quickInputView } from '../questions/quickInputView';
import {
  byUser,
  type QuestionView,
  type QuestionContext,
  type UserAction,
} from '../questions/question';
import type { StepAnswer } from './multiStep';
import { forgetClick, showPick, type PickRow } from '../rows/picks';
import { showMessage } from '../messages';

/** Behind all that a box can hold: something may be typed on the way. */
const farEnd = 2 ** 31 - 1;
/** Within this many milliseconds, a tree of the editor knows that it has lost the keyboard. */
const lostMs = 50;

/** A button of a step, which ends the step or does something else. */
export interface StepAction {
  readonly icon: vscode.ThemeIcon;
  readonly label: string;
  readonly ends?: 'leave' | 'decline';
  readonly run?: (action: UserAction) => void | Promise<void>;
  /** True if `run` shows a document, for which the step makes room in the meantime. */
  readonly inEditor?: boolean;
  /** True for one of several ways to the same end: it is the first to go into the menu where there are too many. */
  readonly isMinor?: boolean;
  /** True for one that always keeps a button of its own. */
  readonly isKept?: boolean;
}

/** At most this many buttons are in a title besides *Back*: they are icons, whose names only a hover shows. */
const maxButtons = 4;

/** Divides actions into those with a button, and those that only the menu behind the last button has. */
function inReach(actions: readonly StepAction[]): {
  readonly buttons: readonly StepAction[];
  readonly menu: readonly StepAction[];
} {
  if (actions.length <= maxButtons) return { buttons: actions, menu: [] };
  const rank = ({ isKept, isMinor }: StepAction) => (isKept ? 0 : isMinor ? 2 : 1);
  const byRank = actions.toSorted((a, b) => rank(a) - rank(b));
  const reached = new Set(byRank.slice(0, maxButtons - 1));
  return {
    buttons: actions.filter((action) => reached.has(action)),
    menu: actions.filter((action) => !reached.has(action)),
  };
}

/** What surrounds all steps of a series; it may change while one is shown. */
export interface StepFrame {
  readonly title: string;
  readonly actions: readonly StepAction[];
  /** What is added to a text that is cut below the box, saying where to find all of it. */
  readonly more?: string;
  readonly onDidChange?: Event<void>;
  /** The context on which the steps take turns with all other questions; without one, hiding a step ends it. */
  readonly context?: QuestionContext;
}

type Ending = Exclude<StepAnswer<unknown>['kind'], 'next' | 'rest'>;

/** A step that is shown until it is disposed. */
export interface ShownStep extends Disposable {
  /**
   * Hides the step, runs `work`, which may show other UI, and shows the step again; `inEditor` lets other questions
   * come up in the meantime.
   */
  away(work: () => Promise<void>, inEditor: boolean): Promise<void>;
}

type StepInput = vscode.QuickPick<PickRow> | vscode.InputBox;

type StepKeys = Partial<Pick<QuestionView, 'enter' | 'escape'>> & {
  /** Called when the step comes up or comes back. */
  readonly onShow: () => void;
  /** Draws the rows each time that the step is shown, if it does so itself. */
  readonly draw?: () => void;
};

/** What a step does with what the user types and accepts, except for text typed for something else. */
export interface StepText {
  readonly changed: (value: string) => unknown;
  /** Called when a row or the text was accepted. */
  readonly accepted: () => unknown;
  /** The rows that are active while nothing was typed and nobody moved: the first one by default. */
  readonly resting?: () => readonly PickRow[];
}

interface FramedStep {
  /** Shown after the title of the series; empty for a single question. */
  readonly name: string;
  readonly frame: StepFrame;
  /** Buttons of this step alone, which come before those of the frame. */
  readonly actions?: readonly StepAction[];
  readonly canGoBack: boolean;
  readonly end: (kind: Ending) => void;
  /** What Escape and Enter do, for a step that does not leave them to the editor. */
  readonly keys?: StepKeys;
  /** For a step that text is typed into. */
  readonly text?: StepText;
}

/** Shows a quick input in a frame, with *Back* if `canGoBack`; calls `end` with how the user left. */
export function frameStep(input: StepInput, step: FramedStep): ShownStep {
  const { frame, end, keys, text } = step;
  const { context } = frame;
  const store = new DisposableStore();
  const away: ShownStep['away'] = (work, inEditor) => shown.away(work, inEditor);
  store.add(new TitleBar(input, step, away));
  const cancel = () => end('cancel');
  // A step without text has its own rules for what keys decide.
  const stray = text && takeText(input, text, context, store);
  const shown = context
    ? presentStep(input, { context, keys, text, stray, cancel }, store)
    : showAlone(input, cancel, store);
  return shown;
}

/** The title of a step and the buttons in it, as the frame has them now. */
class TitleBar implements Disposable {
  private readonly input: StepInput;
  private readonly step: FramedStep;
  private readonly away: ShownStep['away'];
  private readonly actions = new Map<vscode.QuickInputButton, StepAction>();
  private readonly store = new DisposableStore();

  constructor(input: StepInput, step: FramedStep, away: ShownStep['away']) {
    this.input = input;
    this.step = step;
    this.away = away;
    this.store.add(input.onDidTriggerButton((button) => this.press(button)));
    if (step.frame.onDidChange) this.store.add(step.frame.onDidChange(() => this.show()));
    this.show();
  }

  private show(): void {
    const { input, actions } = this;
    const { frame, name, canGoBack } = this.step;
    const [title = '', of] = [frame.title, name].filter(Boolean);
    input.title = plainLabel(of === undefined ? title : pairText(title, of, vscode.l10n.t));
    actions.clear();
    const { buttons, menu } = inReach([...(this.step.actions ?? []), ...frame.actions]);
    for (const action of menu.length > 0 ? [...buttons, this.moreActions(menu)] : buttons)
      actions.set({ iconPath: action.icon, tooltip: action.label }, action);
    input.buttons = [...(canGoBack ? [vscode.QuickInputButtons.Back] : []), ...actions.keys()];
  }

  private press(button: vscode.QuickInputButton): void {
    const { frame, end } = this.step;
    if (frame.context?.takesClicks === false) return;
    frame.context?.acted('click');
    if (button === vscode.QuickInputButtons.Back) return end('back');
    const action = this.actions.get(button);
    if (action) this.perform(action);
  }

  private perform({ run, inEditor, ends }: StepAction): void {
    const pressed = byUser();
    if (run) void this.act(() => run(pressed), inEditor);
    if (ends) this.step.end(ends);
  }

  private async act(run: () => void | Promise<void>, inEditor = false): Promise<void> {
    try {
      await (inEditor ? this.away(async () => run(), true) : run());
    } catch (error) {
      if (isCancellation(error)) return;
      void showMessage('error', errorMessage(error, vscode.l10n.t));
    }
  }

  private moreActions(menu: readonly StepAction[]): StepAction {
    return {
      icon: new vscode.ThemeIcon('ellipsis'),
      label: vscode.l10n.t('More Actions…'),
      run: async (pressed) => {
        let picked: { readonly action: StepAction } | undefined;
        await this.away(async () => {
          const rows = menu.map((action) => ({
            label: action.label,
            iconPath: action.icon,
            action,
          }));
          const title = this.input.title ?? '';
          picked = await showPick(pressed, rows, { title, ignoreFocusOut: true });
        }, false);
        if (picked) this.perform(picked.action);
      },
    };
  }

  dispose(): void {
    this.store.dispose();
  }
}

/** Passes on what is typed and accepted; returns what keeps text out that was typed for something else. */
function takeText(
  input: StepInput,
  text: StepText,
  context: QuestionContext | undefined,
  store: DisposableStore,
): StrayText {
  const note = vscode.l10n.t('Not taken, as this had just come up: wait a moment and type again');
  const stray = new StrayText(input, context?.clock ?? promptKeys, note);
  const settling = store.add(new DisposableHolder<Disposable>());
  store.add(
    input.onDidChangeValue((value) => {
      if (!stray.takesBack(value)) return void text.changed(value);
      if ('items' in input) settling.value = activateResting(input, text);
      return undefined;
    }),
  );
  store.add(
    input.onDidAccept(() => {
      if (!stray.isQuiet) return void text.accepted();
      if ('selectedItems' in input) forgetClick(input);
      return undefined;
    }),
  );
  return stray;
}

/** Shows a step that takes part in no queue: hiding it ends it. */
function showAlone(input: StepInput, cancel: () => void, store: DisposableStore): ShownStep {
  const show = shows(input);
  let isAway = false;
  store.add(
    input.onDidHide(() => {
      if (!isAway) cancel();
    }),
  );
  show();
  return {
    dispose: () => store.dispose(),
    away: async (work) => {
      isAway = true;
      // As for a question; the editor reports later that it was hidden.
      const hidden = once(input.onDidHide);
      input.hide();
      try {
        await work();
      } finally {
        await hidden;
        isAway = false;
        show();
      }
    },
  };
}

/** Shows a step when it is its question's turn. */
function presentStep(
  input: StepInput,
  {
    context,
    keys,
    text,
    stray,
    cancel,
  }: {
    readonly context: QuestionContext;
    readonly keys: StepKeys | undefined;
    readonly text: StepText | undefined;
    readonly stray: StrayText | undefined;
    readonly cancel: () => void;
  },
  store: DisposableStore,
): ShownStep {
  const escape = () => {
    if (stray?.isQuiet) return;
    context.acted('key');
    (keys?.escape ?? cancel)();
  };
  const draw = keys?.draw ?? redraws(input, text);
  const view = store.add(
    quickInputView(
      { show: shows(input), hide: () => input.hide(), onDidHide: input.onDidHide },
      {
        mode: keys?.enter ? 'decision' : 'form',
        enter: () => {
          if (!stray?.isQuiet) keys?.enter?.();
        },
        escape,
        onShow: (isUnsolicited) => {
          stray?.shown(isUnsolicited);
          keys?.onShow();
          draw();
        },
      },
      whenEditorCaughtUp,
    ),
  );
  const presented = store.add(new DisposableHolder());
  const present = () => (presented.value = context.present(view));
  context.signal.addEventListener('abort', cancel, { once: true });
  store.add({ dispose: () => context.signal.removeEventListener('abort', cancel) });
  // The step may follow a document that ended with its question.
  if (context.signal.aborted) queueMicrotask(cancel);
  else present();
  return {
    dispose: () => store.dispose(),
    away: async (work, inEditor) => {
      try {
        if (inEditor) return await context.setAside(work);
        presented.value = undefined;
        // Only what was hidden is shown with the keyboard, which a button may have taken.
        view.hide();
        await work();
      } finally {
        // Work that fails must not leave a question that nobody sees and for which others wait.
        if (!context.signal.aborted) present();
      }
    },
  };
}

/**
 * Returns what shows a step: first with its value selected, so that typing replaces it, later with the caret behind it.
 */
function shows(input: StepInput): () => void {
  let wasShown = false;
  return () => {
    if (wasShown) putCaret(input, input.value.length);
    wasShown = true;
    input.show();
    whenEditorCaughtUp(() => setTimeout(takeKeyboardBack, lostMs, input));
  };
}

/**
 * Gives an empty box the keyboard, as a selection does: a tree that is redrawn when the box comes up takes it, as if it
 * still had it. In a value, something else may be selected by then.
 */
function takeKeyboardBack(input: StepInput): void {
  if (input.value === '') putCaret(input, farEnd);
}

/** Puts the caret somewhere, now or when the step is shown: by default, the editor then selects all of the value. */
function putCaret(input: StepInput, at: number): void {
  try {
    // The editor supports this for lists, too, although it is declared only for boxes.
    Object.assign(input, { valueSelection: [at, at] });
  } catch {
    // An editor may come to refuse it for a list, where a selected value is better than a failure.
  }
}

/** Returns what redraws a list that may have been emptied by what took its place: the editor needs rows to be set. */
function redraws(input: StepInput, text: StepText | undefined): () => void {
  let wasShown = false;
  return () => {
    if (wasShown && 'items' in input) {
      const { items, selectedItems, activeItems } = input;
      input.items = [...items];
      // The editor accepts the chosen rows only after the rows themselves.
      setTimeout(() => {
        if (input.canSelectMany) input.selectedItems = selectedItems;
        // Rows that were replaced since have an active row of their own.
        else if (activeItems.some((row) => items.includes(row))) input.activeItems = activeItems;
        else if (text) input.activeItems = restingRows(input, text);
      });
    }
    wasShown = true;
  };
}

function restingRows(
  { items }: vscode.QuickPick<PickRow>,
  { resting }: Pick<StepText, 'resting'>,
): readonly PickRow[] {
  return resting?.() ?? items.slice(0, 1);
}

/** Makes the resting rows active; returns what keeps that from happening. */
export function activateResting(
  input: vscode.QuickPick<PickRow>,
  text: Pick<StepText, 'resting'>,
): Disposable {
  // Letters, and rows that are set, move to a row; the editor accepts another active row only after that.
  const timer = setTimeout(() => (input.activeItems = restingRows(input, text)));
  return { dispose: () => clearTimeout(timer) };
}

/** Returns the frame itself, or one that has nothing but a title. */
export function frameOf(title: string | StepFrame): StepFrame {
  return typeof title === 'string' ? { title, actions: [] } : title;
}
