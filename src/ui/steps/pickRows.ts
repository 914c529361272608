import { DisposableStore } from '../../base/disposable';
import { plainLabel, plainMessage } from '../../base/text/text';
import { frameStep, type StepFrame, type StepText } from './stepFrame';
import { createPick, safeRows, takenRow, type PickLook, type PickRow } from '../rows/picks';
import { createPastedLines } from '../sources/pastedLines';

/**
 * The rows of a form that the user opened, narrowed by what is typed; a server's texts are passed as they are, in rows,
 * the placeholder and the prompts.
 */
export interface RowsQuestion<T extends PickLook> {
  readonly frame: StepFrame;
  readonly placeholder?: string;
  readonly prompt?: string;
  readonly items: readonly T[];
  /** Called when a row's button was pressed; the rows stay. */
  readonly pressed?: (row: T) => unknown;
  /** Returns what typed or pasted text means besides narrowing: a row that takes it, or what to say below the box. */
  readonly typed?: (text: string) => { readonly row?: T; readonly prompt?: string };
}

/** Lets the user pick one row; `undefined` if they dismissed the list. */
export async function askRow<T extends PickLook>(
  question: RowsQuestion<T>,
): Promise<T | undefined> {
  return (await show(question, false))?.[0];
}

/** Lets the user check rows, starting with those that are `picked`; `undefined` if they dismissed the list. */
export function checkRows<T extends PickLook>(
  question: RowsQuestion<T>,
): Promise<readonly T[] | undefined> {
  return show(question, true);
}

function show<T extends PickLook>(
  { frame, placeholder, prompt, items, pressed, typed }: RowsQuestion<T>,
  many: boolean,
): Promise<readonly T[] | undefined> {
  const store = new DisposableStore();
  const pick = store.add(createPick<T>(frame.context));
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.canSelectMany = many;
  pick.placeholder = placeholder && plainLabel(placeholder);
  pick.prompt = plainMessage(prompt ?? '');
  let rows = items;
  let shown = safeRows(rows);
  pick.items = shown;
  const pasted = createPastedLines();
  const showTyped = (text: string) => {
    const { row, ...said } = (text !== '' && typed?.(text)) || {};
    pick.prompt = plainMessage(said.prompt ?? prompt ?? '');
    if (!row && rows === items) return;
    // It comes last, so that it does not move the rows that are always there.
    rows = row ? [...items, { ...row, alwaysShow: true }] : items;
    shown = safeRows(rows);
    pick.items = shown;
  };
  if (many) pick.selectedItems = shown.filter(({ picked }) => picked);
  store.add(
    pick.onDidTriggerItemButton(({ item }) => {
      if (frame.context?.takesClicks === false) return;
      frame.context?.acted('click');
      pressed?.(item);
    }),
  );
  return new Promise((resolve) => {
    const end = (taken: readonly PickRow<T>[] | undefined) => {
      store.dispose();
      resolve(taken && rows.filter((_, index) => shown[index] && taken.includes(shown[index])));
    };
    const text: StepText = {
      changed: async (value) => {
        if (!typed) return;
        showTyped(value);
        const whole = await pasted.meant(value);
        if (whole !== undefined && pick.value === value) showTyped(whole);
      },
      accepted: () => {
        const taken = takenRow(pick);
        // The editor does not distinguish a click from Enter; only a click may be followed by a second one.
        frame.context?.acted('click');
        if (many) end(pick.selectedItems);
        else if (taken) end([taken]);
      },
    };
    const leave = () => end(undefined);
    store.add(frameStep(pick, { name: '', frame, canGoBack: false, end: leave, text }));
  });
}
