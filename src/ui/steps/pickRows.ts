import { DisposableStore } from '../../base/disposable';
import { frameStep, type StepFrame, type StepText } from './stepFrame';
import { createPick, pickRows, takenRow, type PickLook, type PickRow } from '../rows/picks';
import { createPastedLines } from '../sources/pastedLines';

/** Rows of a form that the user opened: what is typed narrows them. Texts that a server wrote are passed escaped. */
export interface RowsQuestion<T extends PickLook> {
  readonly frame: StepFrame;
  readonly placeholder?: string;
  readonly prompt?: string;
  readonly items: readonly T[];
  /** A button of a row was pressed; the rows stay. */
  readonly pressed?: (row: T) => unknown;
  /** What is typed or pasted may mean more than which rows to show: a row that takes it, or what to say below the box. */
  readonly typed?: (text: string) => { readonly row?: T; readonly prompt?: string };
}

/** Lets the user pick one row; `undefined` when they went away. */
export async function pickRow<T extends PickLook>(
  question: RowsQuestion<T>,
): Promise<T | undefined> {
  return (await show(question, false))?.[0];
}

/** Lets the user check rows, beginning with those that are `picked`; `undefined` when they went away. */
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
  const pick = store.add(createPick<T>());
  pick.ignoreFocusOut = true;
  pick.matchOnDescription = true;
  pick.matchOnDetail = true;
  pick.canSelectMany = many;
  pick.placeholder = placeholder;
  pick.prompt = prompt;
  let rows = items;
  let shown = pickRows(rows);
  pick.items = shown;
  const pasted = createPastedLines();
  const showTyped = (text: string) => {
    const { row, ...said } = (text !== '' && typed?.(text)) || {};
    pick.prompt = said.prompt ?? prompt;
    if (!row && rows === items) return;
    // The last one, so that it moves none of those that are there always.
    rows = row ? [...items, { ...row, alwaysShow: true }] : items;
    shown = pickRows(rows);
    pick.items = shown;
  };
  if (many) pick.selectedItems = shown.filter(({ picked }) => picked);
  store.add(
    pick.onDidTriggerItemButton(({ item }) => {
      frame.stage?.acted('click');
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
        // The editor does not tell a click from Enter; only a click may have a second one.
        frame.stage?.acted('click');
        if (many) end(pick.selectedItems);
        else if (taken) end([taken]);
      },
    };
    const leave = () => end(undefined);
    store.add(frameStep(pick, { name: '', frame, canGoBack: false, end: leave, text }));
  });
}
