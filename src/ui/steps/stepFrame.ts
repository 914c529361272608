import * as vscode from 'vscode';
import { DisposableHolder, DisposableStore, type Disposable } from '../../base/disposable';
import { once, type Event } from '../../base/event';
import { plainLabel } from '../../base/text/text';
import { whenEditorCaughtUp } from '../editorCommands';
import { StrayText } from '../questions/keys/strayText';
import { promptKeys } from '../questions/keys/typing';
import { quickInputFace } from '../questions/quickInputFace';
import type { Face, Stage } from '../questions/stage';
import type { StepAnswer } from './multiStep';
import { forgetClick, type PickRow } from '../rows/picks';

/** A button of a step: it ends the step, or does something beside it. */
export interface StepAction {
  readonly icon: vscode.ThemeIcon;
  readonly label: string;
  readonly ends?: 'leave' | 'decline';
  readonly run?: () => void | Promise<void>;
  /** True where `run` shows a document, which the step makes room for as long as that takes. */
  readonly inEditor?: boolean;
}

/** What all steps of a series have around them; it may change while one is shown. */
export interface StepFrame {
  readonly title: string;
  readonly actions: readonly StepAction[];
  /** Said behind a text that is cut below the box: where all of it stands. */
  readonly more?: string;
  readonly onDidChange?: Event<void>;
  /** Where the steps are shown in turn with all other questions; without one a step that is hidden ends. */
  readonly stage?: Stage;
}

type Ending = Exclude<StepAnswer<unknown>['kind'], 'next' | 'rest'>;

/** A step that is shown until it is disposed. */
export interface ShownStep extends Disposable {
  /** Hides the step, runs what may show other UI, and shows it again; `inEditor` lets other questions come up meanwhile. */
  away(work: () => Promise<void>, inEditor: boolean): Promise<void>;
}

type StepInput = vscode.QuickPick<PickRow> | vscode.InputBox;

type StepKeys = Partial<Pick<Face, 'enter' | 'escape'>> & {
  /** The step comes up, or comes back. */
  readonly onShow: () => void;
  /** Draws the rows of a step that does so by itself, each time that it is shown. */
  readonly draw?: () => void;
};

/** What a step does with what the user types and takes, but for what was typed for something else. */
export interface StepText {
  readonly changed: (value: string) => unknown;
  /** A row was taken, or the text. */
  readonly accepted: () => unknown;
}

/** Shows a quick input in a frame, with *Back* where one can go back; `end` is called with how the user left. */
export function frameStep(
  input: StepInput,
  step: {
    /** Stands behind the title of the series; empty for a question that is alone. */
    readonly name: string;
    readonly frame: StepFrame;
    /** Buttons of this step alone; they stand before those of the frame. */
    readonly actions?: readonly StepAction[];
    readonly canGoBack: boolean;
    readonly end: (kind: Ending) => void;
    /** What Escape and Enter do, for a step that does not leave them to the editor. */
    readonly keys?: StepKeys;
    /** Of a step that text is typed into. */
    readonly text?: StepText;
  },
): ShownStep {
  const { frame, end, keys, text } = step;
  const { stage } = frame;
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
      stage?.acted('click');
      if (button === vscode.QuickInputButtons.Back) return end('back');
      const action = actions.get(button);
      if (action?.run) act(action.run, action.inEditor);
      if (action?.ends) end(action.ends);
    }),
  );
  if (frame.onDidChange) store.add(frame.onDidChange(show));
  show();
  const cancel = () => end('cancel');
  const note = vscode.l10n.t('Not taken, as this had just come up: wait a moment and type again');
  // A step without text has its own rules of what keys decide.
  const stray = text && new StrayText(input, stage?.clock ?? promptKeys, note);
  if (stray) {
    store.add(
      input.onDidChangeValue((value) => {
        if (!stray.takesBack(value)) return void text.changed(value);
        // Letters move to a row; the editor takes another active one only after they are gone.
        if ('items' in input) setTimeout(() => (input.activeItems = input.items.slice(0, 1)));
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
  }
  const shown = stage
    ? presentStep(input, { stage, keys, stray, cancel }, store)
    : showAlone(input, cancel, store);
  const act = (run: NonNullable<StepAction['run']>, inEditor = false) =>
    void (inEditor ? shown.away(async () => run(), true) : run());
  return shown;
}

/** Shows a step that takes part in no queue: what hides it ends it. */
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
      // As for a question; the editor tells later that it was hidden.
      const hidden = once(input.onDidHide);
      input.hide();
      await Promise.all([work(), hidden]);
      isAway = false;
      show();
    },
  };
}

/** Shows a step when it is its question's turn. */
function presentStep(
  input: StepInput,
  {
    stage,
    keys,
    stray,
    cancel,
  }: {
    readonly stage: Stage;
    readonly keys: StepKeys | undefined;
    readonly stray: StrayText | undefined;
    readonly cancel: () => void;
  },
  store: DisposableStore,
): ShownStep {
  const escape = () => {
    if (stray?.isQuiet) return;
    stage.acted('key');
    (keys?.escape ?? cancel)();
  };
  const draw = keys?.draw ?? redraws(input);
  const face = store.add(
    quickInputFace(
      { show: shows(input), hide: () => input.hide(), onDidHide: input.onDidHide },
      {
        mode: keys?.enter ? 'decision' : 'form',
        enter: () => {
          if (!stray?.isQuiet) keys?.enter?.();
        },
        escape,
        onShow: (isSudden) => {
          stray?.shown(isSudden);
          keys?.onShow();
          draw();
        },
      },
      whenEditorCaughtUp,
    ),
  );
  const presented = store.add(new DisposableHolder());
  const present = () => (presented.value = stage.present(face));
  stage.signal.addEventListener('abort', cancel, { once: true });
  store.add({ dispose: () => stage.signal.removeEventListener('abort', cancel) });
  // What led here may have been a document that ended with its question.
  if (stage.signal.aborted) queueMicrotask(cancel);
  else present();
  return {
    dispose: () => store.dispose(),
    away: async (work, inEditor) => {
      if (inEditor) await stage.elsewhere(work);
      else {
        presented.value = undefined;
        // Only what was hidden is shown with the keyboard, which a button may have had.
        face.hide();
        await work();
      }
      if (!stage.signal.aborted) present();
    },
  };
}

/** Shows a step: at first with its value selected, as one that a letter replaces, and later with the caret behind it. */
function shows(input: StepInput): () => void {
  let wasShown = false;
  return () => {
    if (wasShown) putCaretAtEnd(input);
    wasShown = true;
    input.show();
  };
}

/** Has the caret stand behind the value when that is shown next: by itself the editor selects all of it. */
function putCaretAtEnd(input: StepInput): void {
  const end = input.value.length;
  try {
    // The editor has it for a list as well as for a box, though it is declared for boxes alone.
    Object.assign(input, { valueSelection: [end, end] });
  } catch {
    // An editor may come to refuse it for a list: a selected value is better than none.
  }
}

/** What had the place of a list may have emptied it: the editor draws it anew only with rows. */
function redraws(input: StepInput): () => void {
  let wasShown = false;
  return () => {
    if (wasShown && 'items' in input) {
      const { items, selectedItems, activeItems } = input;
      input.items = [...items];
      // The editor takes which are chosen only after the rows.
      setTimeout(() => {
        if (input.canSelectMany) input.selectedItems = selectedItems;
        // Rows that are new since have an active one of their own.
        else if (activeItems.some((row) => items.includes(row))) input.activeItems = activeItems;
      });
    }
    wasShown = true;
  };
}

/** The frame of steps that have nothing but a title around them. */
export function frameOf(title: string | StepFrame): StepFrame {
  return typeof title === 'string' ? { title, actions: [] } : title;
}
